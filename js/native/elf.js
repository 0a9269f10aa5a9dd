'use strict';
// What the head of an ELF file tells before it is loaded: for which processor it is, and whether its end is there.

const fs = require('node:fs');

const MAGIC = 0x7f454c46;
const BITS_64 = 2;
const LITTLE_ENDIAN = 1;
// e_machine by the names of process.arch.
const MACHINES = new Map([[0x03, 'ia32'], [0x15, 'ppc64'], [0x16, 's390x'], [0x28, 'arm'], [0x3e, 'x64'], [0xb7, 'arm64'],
  [0xf3, 'riscv64'], [0x102, 'loong64']]);

/**
 * @param {string} file
 * @returns {{ arch: string, size: number, needed: number } | null} null: not there, or no ELF file with 64 bits
 */
function inspect(file) {
  let fd;
  try {
    fd = fs.openSync(file, 'r');
  } catch {
    return null; // loading says why
  }
  try {
    const header = Buffer.alloc(64);
    if (fs.readSync(fd, header) < header.length || header.readUInt32BE(0) !== MAGIC || header[4] !== BITS_64) return null;
    const little = header[5] === LITTLE_ENDIAN;
    const half = (at) => (little ? header.readUInt16LE(at) : header.readUInt16BE(at));
    // The table of sections is at the end of the file: where it is, times how large an entry is.
    const table = little ? header.readBigUInt64LE(0x28) : header.readBigUInt64BE(0x28);
    const machine = half(0x12);
    return {
      arch: MACHINES.get(machine) ?? `processor ${machine}`,
      size: fs.fstatSync(fd).size,
      needed: Number(table) + half(0x3a) * half(0x3c),
    };
  } finally {
    fs.closeSync(fd);
  }
}

module.exports = { inspect };
