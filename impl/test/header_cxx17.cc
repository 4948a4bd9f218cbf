#include <librpma.h>

// The header compiles alone, as C++17.
int main() { return rpma_err_2str(RPMA_E_INVAL) == nullptr ? 1 : 0; }
