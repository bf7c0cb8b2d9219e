/* The border to libevent_core: what Swift can't import becomes static inline here. */
#ifndef FXGW_CLIBEVENT_SHIM_H
#define FXGW_CLIBEVENT_SHIM_H
#include <errno.h>
#include <event2/event.h>
#include <sys/eventfd.h>
#endif
