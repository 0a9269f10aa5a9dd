'use strict';
// The one `go build` of the core, for a local build and for the published binaries: same flags, same bytes. The
// installed package has this file too, so it uses nothing but Node.

const path = require('node:path');
const { coreName } = require('../js/native/platform');
const { version } = require('../package.json');

const root = path.join(__dirname, '..');
const GOARCH = new Map([['x64', 'amd64'], ['ia32', '386'], ['ppc64', 'ppc64le']]);
// What glibc 2.34 merged into libc; under their old names they are on every system (core/cabi/glibc.h).
const OLD_GLIBC = ['libpthread.so.0', 'libresolv.so.2'];

/**
 * @param {{ out: string, platform?: string, arch?: string, cc?: string }} target out: the library to write; cc: the C
 *   compiler for another machine
 * @returns {{ command: string, args: string[], env: Record<string, string> }}
 */
function compileCore({ out, platform = process.platform, arch = process.arch, cc }) {
  const env = { ...process.env, CGO_ENABLED: '1', GOARCH: GOARCH.get(arch) ?? arch };
  if (cc) env.CC = cc;
  const forLinker = [platform === 'darwin' ? `-Wl,-install_name,@rpath/${coreName(platform)}` : `-Wl,-soname,${coreName(platform)}`];
  if (platform === 'linux' && ['x64', 'arm64'].includes(arch)) {
    env.CGO_CFLAGS = `${process.env.CGO_CFLAGS ?? '-O2 -g'} -include "${path.join(root, 'core', 'cabi', 'glibc.h')}"`;
    forLinker.push('-Wl,--no-as-needed', ...OLD_GLIBC.map((name) => `-l:${name}`), '-Wl,--as-needed');
  }
  // asyncpreemptoff: Go would interrupt its threads with SIGURG, and a program that handles SIGURG would get those signals,
  // in a handler that a goroutine's stack has no room for (core/cabi/mask.c). A GODEBUG variable still wins.
  const ldflags = `-s -w -buildid= -X main.version=${version} -X runtime.godebugDefault=asyncpreemptoff=1 '-extldflags=${forLinker.join(' ')}'`;
  // buildvcs: the bytes shall depend on the sources, not on the commit they are in.
  return { command: 'go', args: ['build', '-trimpath', '-buildvcs=false', '-buildmode=c-shared', '-ldflags', ldflags, '-o', out, './core/cabi'], env };
}

module.exports = { compileCore };
