/* Codes and events as texts: rpma_err_2str(3), rpma_utils_conn_event_2str(3). Any texts do, as long
 * as each has its own. */
#include "property.h"

EXPORT const char *rpma_err_2str(int ret) {
  switch (ret) {
    case 0:
      return "success";
    case RPMA_E_NOSUPP:
      return "not supported";
    case RPMA_E_PROVIDER:
      return "libibverbs or librdmacm failed, see errno";
    case RPMA_E_NOMEM:
      return "out of memory";
    case RPMA_E_INVAL:
      return "invalid argument";
    case RPMA_E_NO_COMPLETION:
      return "no completion";
    case RPMA_E_NO_EVENT:
      return "no event";
    case RPMA_E_AGAIN:
      return "try again";
    case RPMA_E_SHARED_CHANNEL:
      return "the completion channel is shared";
    case RPMA_E_NOT_SHARED_CHNL:
      return "the completion channel is not shared";
    default:
      return "unknown error";
  }
}

EXPORT const char *rpma_utils_conn_event_2str(enum rpma_conn_event conn_event) {
  switch (conn_event) {
    case RPMA_CONN_UNDEFINED:
      return "undefined";
    case RPMA_CONN_ESTABLISHED:
      return "established";
    case RPMA_CONN_CLOSED:
      return "closed";
    case RPMA_CONN_LOST:
      return "lost";
    case RPMA_CONN_REJECTED:
      return "rejected";
    case RPMA_CONN_UNREACHABLE:
      return "unreachable";
    default:
      return "unknown event";
  }
}
