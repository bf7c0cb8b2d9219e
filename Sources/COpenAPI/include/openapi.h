/* The OpenAPI document of docs/openapi.json as bytes, so that the program needs no file to serve it. */
#ifndef FXGW_COPENAPI_H
#define FXGW_COPENAPI_H
#include <stddef.h>
extern const unsigned char fxgw_openapi[];
extern const size_t fxgw_openapi_length;
/* Swift does not import an array without a length. */
static inline const unsigned char *fxgw_openapi_start(void) { return fxgw_openapi; }
#endif
