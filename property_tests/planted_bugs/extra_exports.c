// What librpma.h does not have; a version script decides whether a library exports it.
__attribute__((visibility("default"))) int rpma_extra_table[4];

__attribute__((visibility("default"))) int rpma_extra_function(void);
int rpma_extra_function(void) { return rpma_extra_table[0]; }
