{
  "targets": [
    {
      # scripts/build.js has put the core, librumongo.so, into the product directory before.
      "target_name": "rumongo",
      "sources": [
        "napi/addon.cc",
        "napi/block.cc",
        "napi/env_blocks.cc",
        "napi/env_state.cc",
        "napi/event_log.cc",
        "napi/inbox.cc",
        "napi/memory.cc",
        "napi/outbox.cc",
        "napi/signals.cc",
      ],
      "include_dirs": ["<!(node -p \"require('node-addon-api').include_dir\")", "core/cabi"],
      # SWALLOW_UNTHROWABLE: a worker that is being terminated may still be inside a call of ours, and nothing can be
      # thrown there any more; without it that is a fatal error of the whole process.
      "defines": ["NAPI_VERSION=9", "NAPI_DISABLE_CPP_EXCEPTIONS", "NODE_ADDON_API_DISABLE_DEPRECATED",
                  "NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS"],
      "cflags": ["-O2", "-fvisibility=hidden", "-Wall", "-Wextra"],
      "cflags_cc": ["-std=c++17", "-fno-exceptions", "-fno-rtti", "-fvisibility-inlines-hidden"],
      "conditions": [
        ["OS=='linux'", {
          "libraries": ["-L<(PRODUCT_DIR)", "-lrumongo"],
          # nodelete: a worker's exit unloads addons, and a Go runtime cannot be unloaded.
          "ldflags": ["-Wl,-rpath,'$$ORIGIN'", "-Wl,-z,nodelete", "-Wl,-s"],
        }],
        ["OS=='mac'", {
          "libraries": ["<(PRODUCT_DIR)/librumongo.dylib"],
          "xcode_settings": {
            "GCC_OPTIMIZATION_LEVEL": "2",
            "GCC_SYMBOLS_PRIVATE_EXTERN": "YES",
            "CLANG_CXX_LANGUAGE_STANDARD": "c++17",
            "MACOSX_DEPLOYMENT_TARGET": "11.0",
            "OTHER_LDFLAGS": ["-Wl,-rpath,@loader_path"],
          },
        }],
      ],
    },
  ],
}
