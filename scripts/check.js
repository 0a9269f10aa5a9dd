'use strict';
// `npm run check`: what can be said about the code without running it. Formatting and lint of the three languages, dead code,
// declarations, the C interface, known vulnerabilities; a line each, and an exit code. `npm test` begins with the fast ones.
//   npm run check -- --fix          the formatters write
//   npm run check -- eslint types   only these

const { ensureReady } = require('./ensure');

function main(words) {
  ensureReady();
  const { CHECKS, runChecks } = require('./checks');
  const fix = words.includes('--fix');
  const names = words.filter((word) => word !== '--fix');
  const unknown = names.filter((name) => !CHECKS.some((check) => check.name === name));
  if (unknown.length > 0) {
    console.error(`No check ${unknown.join(', ')}. There are: ${CHECKS.map(({ name }) => `'${name}'`).join(' ')}, and --fix`);
    process.exit(1);
  }
  const { ok, skipped, FAILED } = runChecks(names.length > 0 ? CHECKS.filter(({ name }) => names.includes(name)) : CHECKS, { fix });
  console.log(`${ok} ok, ${skipped} skipped, ${FAILED} failed`);
  if (FAILED > 0) process.exitCode = 1;
}

main(process.argv.slice(2));
