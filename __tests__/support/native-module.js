'use strict';
// Small native modules for lifecycle tests, compiled with the C compiler that the addon needs anyway. They use nothing of
// Node-API but the name of the entry point, so they need no headers.

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const SOURCES = {
  /** What crash reporters do: a handler for faults, on a stack of its own, that says so and ends the process. */
  handler: `
    #include <signal.h>
    #include <string.h>
    #include <unistd.h>
    static void on_fault(int signal, siginfo_t *info, void *context) {
      (void)signal; (void)info; (void)context;
      if (write(1, "native handler\\n", 15) < 0) _exit(41);
      _exit(42);
    }
    void *napi_register_module_v1(void *env, void *exports) {
      static char stack[65536];
      stack_t alternate = {.ss_sp = stack, .ss_size = sizeof(stack)};
      struct sigaction action;
      (void)env;
      memset(&action, 0, sizeof(action));
      sigaltstack(&alternate, 0);
      action.sa_sigaction = on_fault;
      action.sa_flags = SA_SIGINFO | SA_ONSTACK;
      sigaction(SIGSEGV, &action, 0);
      return exports;
    }`,
  /** A fault in native code that is not Go's. */
  crash: `
    void *napi_register_module_v1(void *env, void *exports) {
      (void)env;
      *(volatile int *)8 = 1;
      return exports;
    }`,
};

/** @returns {string} the file of the module, compiled into dir */
function nativeModule(name, dir) {
  const source = path.join(dir, `${name}.c`);
  const file = path.join(dir, `${name}.node`);
  fs.writeFileSync(source, SOURCES[name]);
  execFileSync(process.env.CC || 'cc', ['-shared', '-fPIC', '-O0', '-o', file, source]);
  return file;
}

module.exports = { nativeModule };
