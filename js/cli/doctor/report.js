'use strict';
// What a checkup says, for people and for programs.

const { version } = require('../../../package.json');

const WIDEST_NAME = 24;

/** @param {(line: string) => void} write */
function asText(write) {
  let section = null;
  return {
    check({ section: its, name, status, value, remedy, ms }) {
      if (section === null) write(`rumongo-go ${version} doctor`);
      if (its !== section) write(`\n${its}`);
      section = its;
      const took = ms === undefined ? '' : ` (${ms} ms)`;
      write(`  ${status.padEnd(4)}  ${name.padEnd(WIDEST_NAME)}  ${value.replaceAll('\n', `\n${' '.repeat(WIDEST_NAME + 10)}`)}${took}`);
      if (remedy !== undefined) write(`${' '.repeat(8)}-> ${remedy}`);
    },
    end: ({ failed, warnings, verdict }) => `\n${failed === 0 && warnings === 0 ? 'All well.' : `Failed: ${failed}, warnings: ${warnings}.`}${verdict === undefined ? '' : ` ${verdict}`}\n`,
  };
}

function asJSON(checks, { failed, warnings, verdict }) {
  return `${JSON.stringify({ version, ok: failed === 0, failed, warnings, verdict, checks }, null, 2)}\n`;
}

/** The verdict is about whose fault it is, where both drivers were tried. */
function summary(checks) {
  const count = (status) => checks.filter((check) => check.status === status).length;
  const tried = (section) => checks.filter((check) => check.section === section && check.status !== 'skip');
  const bad = (list) => list.some(({ status }) => status === 'fail');
  const ours = tried('Server');
  const theirs = tried('Official driver');
  let verdict;
  if (ours.length > 0 && theirs.length > 0 && bad(ours)) {
    verdict = bad(theirs) ? 'The official driver fails too: the cause is not rumongo-go.' : 'The official driver can: please report this as a fault of rumongo-go.';
  }
  return { failed: count('fail'), warnings: count('warn'), verdict };
}

module.exports = { asText, asJSON, summary };
