#include "dashboard.h"

#pragma clang diagnostic ignored "-Wc23-extensions"
const unsigned char fxgw_dashboard_page[] = {
#embed "page/page.html"
};
const size_t fxgw_dashboard_page_length = sizeof fxgw_dashboard_page;

const unsigned char fxgw_dashboard_style[] = {
#embed "page/base.css"
    ,
#embed "page/parts.css"
    ,
#embed "page/layout.css"
};
const size_t fxgw_dashboard_style_length = sizeof fxgw_dashboard_style;

/* One module: what an earlier file declares, a later one uses. */
const unsigned char fxgw_dashboard_script[] = {
#embed "page/dom.js"
    ,
#embed "page/format.js"
    ,
#embed "page/ask.js"
    ,
#embed "page/stream.js"
    ,
#embed "page/verdict.js"
    ,
#embed "page/resources.js"
    ,
#embed "page/fleet.js"
    ,
#embed "page/quota.js"
    ,
#embed "page/rates.js"
    ,
#embed "page/convert.js"
    ,
#embed "page/explain.js"
    ,
#embed "page/events.js"
    ,
#embed "page/main.js"
};
const size_t fxgw_dashboard_script_length = sizeof fxgw_dashboard_script;
