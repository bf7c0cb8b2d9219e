/* The dashboard's page, style and script as bytes, so that the program needs no file to serve them. */
#ifndef FXGW_CDASHBOARD_H
#define FXGW_CDASHBOARD_H
#include <stddef.h>
extern const unsigned char fxgw_dashboard_page[];
extern const size_t fxgw_dashboard_page_length;
extern const unsigned char fxgw_dashboard_style[];
extern const size_t fxgw_dashboard_style_length;
extern const unsigned char fxgw_dashboard_script[];
extern const size_t fxgw_dashboard_script_length;
/* Swift does not import an array without a length. */
static inline const unsigned char *fxgw_dashboard_page_start(void) { return fxgw_dashboard_page; }
static inline const unsigned char *fxgw_dashboard_style_start(void) { return fxgw_dashboard_style; }
static inline const unsigned char *fxgw_dashboard_script_start(void) { return fxgw_dashboard_script; }
#endif
