/* The border to json-c: the headers as the distribution has them. */
#ifndef FXGW_CJSON_SHIM_H
#define FXGW_CJSON_SHIM_H
#include <json-c/json.h>
#endif
