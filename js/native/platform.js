'use strict';
// Which machines the addon can run on, and what to tell the others. Used before the addon is built and when it does not
// load, so it requires nothing of the package.

const MIN_NODE = [20, 19, 0];

/** The machines that have a platform package with prebuilt binaries: rumongo-go-<target>. */
const TARGETS = ['linux-x64-gnu', 'linux-arm64-gnu', 'darwin-x64', 'darwin-arm64'];

/** @returns {string | null} the target of a machine, whatever its C library: whether that fits is checkPlatform's business */
function target(platform = process.platform, arch = process.arch) {
  const name = platform === 'linux' ? `linux-${arch}-gnu` : `${platform}-${arch}`;
  return TARGETS.includes(name) ? name : null;
}

/** The file name of the core library, which lies beside the addon. */
const coreName = (platform = process.platform) => (platform === 'darwin' ? 'librumongo.dylib' : 'librumongo.so');

/** @returns {string | null} what is wrong with the running Node, and the remedy */
function checkNode(version = process.versions.node) {
  const parts = version.split('.', 3).map((part) => Number.parseInt(part, 10));
  for (let i = 0; i < MIN_NODE.length; i++) {
    if (parts[i] > MIN_NODE[i]) return null;
    if (parts[i] < MIN_NODE[i]) {
      return `Node.js ${MIN_NODE.join('.')} or later is needed, this is ${version}. Install it from https://nodejs.org.`;
    }
  }
  return null;
}

/** 'glibc', 'musl', or null where there is no such question. */
function libc() {
  if (process.platform !== 'linux') return null;
  // The report names glibc's version when Node runs on it. Collecting it is slow with many sockets, and network
  // interfaces are the slow part.
  const exclude = process.report.excludeNetwork;
  process.report.excludeNetwork = true;
  try {
    return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
  } finally {
    process.report.excludeNetwork = exclude;
  }
}

/** @returns {string | null} why the addon cannot exist on this platform, and the remedy */
function checkPlatform(platform = process.platform, libcName = platform === process.platform ? libc() : null) {
  if (platform === 'linux' && libcName === 'musl') {
    return 'musl (Alpine Linux) is not supported: a Go shared library cannot be loaded into a running process there. '
      + 'Use an image with glibc, such as node:20-slim, or keep the official driver for this deployment.';
  }
  if (platform !== 'linux' && platform !== 'darwin') {
    return `${platform} is not supported; Linux (glibc) and macOS are. Keep the official driver for this deployment.`;
  }
  return null;
}

/** One line about the machine, for error messages and bug reports. */
function describe() {
  const name = libc();
  const electron = process.versions.electron ? `, Electron ${process.versions.electron}` : '';
  return `${process.platform} ${process.arch}${name ? ` ${name}` : ''}, Node.js ${process.versions.node}${electron}`;
}

module.exports = { TARGETS, target, coreName, checkNode, checkPlatform, describe };
