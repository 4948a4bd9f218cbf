/* A library that gives the program's syslog messages a name of its own when it is loaded. */
#include <syslog.h>

__attribute__((constructor)) static void open_log(void) { openlog("rpma", LOG_PID, LOG_LOCAL7); }
