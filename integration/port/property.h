/* What the configuration objects have in common: they are made with defaults, ended through the
 * caller's handle, and have properties that are set and asked for. Each page's ERRORS names NULL,
 * and nothing else unless said so.
 */
#pragma once

#include <librpma.h>
#include <stdlib.h>

/* Only the functions of librpma.h are exported; the library is built with hidden visibility. */
#define EXPORT __attribute__((visibility("default")))

/* rpma_OBJECT_new(3), with these values at first. On failure the caller's handle stays as it was.
 */
#define DEFINE_NEW(object, ...)                                  \
  EXPORT int rpma_##object##_new(struct rpma_##object **ptr) {   \
    static const struct rpma_##object kDefaults = {__VA_ARGS__}; \
    if (ptr == NULL) return RPMA_E_INVAL;                        \
    struct rpma_##object *made = malloc(sizeof *made);           \
    if (made == NULL) return RPMA_E_NOMEM;                       \
    *made = kDefaults;                                           \
    *ptr = made;                                                 \
    return 0;                                                    \
  }

/* rpma_OBJECT_delete(3): nothing to do for a handle that is NULL already. */
#define DEFINE_DELETE(object)                                     \
  EXPORT int rpma_##object##_delete(struct rpma_##object **ptr) { \
    if (ptr == NULL) return RPMA_E_INVAL;                         \
    free(*ptr);                                                   \
    *ptr = NULL;                                                  \
    return 0;                                                     \
  }

/* rpma_OBJECT_set_NAME(3): `allowed` says which values are. */
#define DEFINE_SET(object, type, name, allowed)                                 \
  EXPORT int rpma_##object##_set_##name(struct rpma_##object *cfg, type name) { \
    if (cfg == NULL || !(allowed)) return RPMA_E_INVAL;                         \
    cfg->name = name;                                                           \
    return 0;                                                                   \
  }

/* rpma_OBJECT_get_NAME(3) */
#define DEFINE_GET(object, type, name)                                                 \
  EXPORT int rpma_##object##_get_##name(const struct rpma_##object *cfg, type *name) { \
    if (cfg == NULL || name == NULL) return RPMA_E_INVAL;                              \
    *name = cfg->name;                                                                 \
    return 0;                                                                          \
  }

#define DEFINE_PROPERTY(object, type, name)     \
  DEFINE_SET(object, type, name, /*allowed=*/1) \
  DEFINE_GET(object, type, name)
