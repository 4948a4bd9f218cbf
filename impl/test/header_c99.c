#include <librpma.h>

// The header compiles alone, in the oldest language that it supports.
int main(void) { return rpma_err_2str(RPMA_E_INVAL) == NULL; }
