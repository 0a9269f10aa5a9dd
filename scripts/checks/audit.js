'use strict';
// What is known against the packages and modules we depend on. Both databases are on the network: where they do not answer,
// that is said, and nothing counts as checked.

const path = require('node:path');
const { root } = require('../ensure');
const { passed, skipped, failed, run } = require('./command');

/** @returns the report, or { unavailable: why } */
function npmReport(...options) {
  const { missing, stdout, output } = run('npm', ['audit', '--json', ...options]);
  if (missing) return { unavailable: 'npm is not installed' };
  try {
    const report = JSON.parse(stdout);
    if (report.metadata?.vulnerabilities) return report;
    return { unavailable: `the registry did not answer: ${report.message ?? report.error?.summary ?? 'no report'}` };
  } catch {
    return { unavailable: `npm audit gave no report: ${output.slice(0, 200)}` };
  }
}

/** What users get must be free of all, what only developers run of what is high or critical. */
function npmAudit() {
  const production = npmReport('--omit=dev');
  const all = production.unavailable ? production : npmReport();
  if (all.unavailable) return skipped(all.unavailable);
  const { high, critical, total } = all.metadata.vulnerabilities;
  const ours = production.metadata.vulnerabilities.total;
  const list = () => Object.values(all.vulnerabilities).map(({ name, severity, range }) => `${severity}: ${name} ${range}`).join('\n');
  if (ours > 0 || high > 0 || critical > 0) return failed(`${ours} in dependencies, ${total} with those of development`, list());
  return passed(`nothing known in dependencies; ${total} below high in those of development`);
}

function govulncheck() {
  const { missing, status, output } = run('go', ['tool', `-modfile=${path.join(root, 'tools', 'checks', 'go.mod')}`, 'govulncheck', './...']);
  if (missing) return skipped('go is not installed');
  if (status === 0) return passed('no known vulnerability in what the core calls');
  const unreachable = /^govulncheck: fetching vulnerabilities: .*/m.exec(output);
  return unreachable ? skipped(`the database did not answer: ${unreachable[0]}`) : failed('vulnerable code is called', output);
}

module.exports = [
  { name: 'npm audit', run: npmAudit },
  { name: 'govulncheck', run: govulncheck },
];
