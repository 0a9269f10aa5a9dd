// The one place that includes Node-API, so that every file sees the same version and the same error mode: no C++
// exceptions anywhere in the addon.
#pragma once

#ifndef NAPI_VERSION
#define NAPI_VERSION 9
#endif

#include <napi.h>

#include "abi.h"
