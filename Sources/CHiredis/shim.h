/* The border to hiredis 0.14 and 1.x: what Swift can't import becomes static inline here. */
#ifndef FXGW_CHIREDIS_SHIM_H
#define FXGW_CHIREDIS_SHIM_H
#include <errno.h>
#include <hiredis/async.h>
#include <hiredis/hiredis.h>
#endif
