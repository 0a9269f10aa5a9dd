'use strict';
// `npx rumongo-go doctor`: looks at everything a read passes through, one part after the other, and says of each whether it
// is well and what to do if not. What it prints is for a bug report: it has no secrets in it.

const { readUri, readNamespace, wholeNumber } = require('../arguments.js');
const { Checkup } = require('./checkup.js');
const { Hider } = require('./hide.js');
const { checkMachine } = require('./machine.js');
const { checkOptions } = require('./options.js');
const { checkNetwork } = require('./network.js');
const { checkServer } = require('./server.js');
const { checkOfficial } = require('./official.js');
const { asText, asJSON, summary } = require('./report.js');
const { EXIT, UsageError } = require('../exit.js');

const USUAL_TIMEOUT_MS = 5000;
const LONGEST_TIMEOUT_MS = 600_000;

const options = {
  uri: { type: 'string' },
  ns: { type: 'string' },
  timeout: { type: 'string' },
  'redact-hosts': { type: 'boolean' },
  json: { type: 'boolean' },
};

const usage = `Usage: npx rumongo-go doctor [--uri <connection string>] [options]

Looks at this machine, the package and its binary; with a connection string also at DNS, TCP, TLS, the server, the
credentials and a read, and at the same with the official driver when it is installed. It only reads. Paste what it prints into
a bug report: passwords, user names and tokens are left out.

  --uri <text>         the connection string; default: the environment variable MONGODB_URI, which, unlike an
                       argument, other users of the machine do not see
  --ns <db.collection> what to read; default: a collection of the connection string's database
  --timeout <ms>       how long each check may take; default ${USUAL_TIMEOUT_MS}
  --redact-hosts       leave out the names and addresses of servers, too
  --json               a JSON object instead of text
  --help

Exit code: 0 all well (warnings count as well), 1 a check failed, 2 the command line is wrong.
`;

async function run(values, { stdout, env, redact }) {
  const uri = readUri(values, env);
  const source = values.ns === undefined ? null : readNamespace(values.ns);
  if (source !== null && uri === undefined) throw new UsageError('--ns needs --uri: where to read it (or set MONGODB_URI)');
  const timeoutMS = wholeNumber('--timeout', values.timeout, USUAL_TIMEOUT_MS, 100, LONGEST_TIMEOUT_MS);
  const hider = new Hider(redact, { uri, hosts: values['redact-hosts'] === true });
  // Each check is written as soon as it is made: what ends the process in the middle is then seen, too.
  const text = asText((line) => void stdout.write(`${line}\n`));
  const checkup = new Checkup({ timeoutMS, hider, onCheck: values.json ? () => {} : text.check });

  await checkMachine(checkup, env);
  if (uri !== undefined) await checkConnection(checkup, { uri, source, hider, timeoutMS });
  const end = summary(checkup.checks);
  stdout.write(values.json ? asJSON(checkup.checks, end) : text.end(end));
  return end.failed > 0 ? EXIT.UNWELL : EXIT.OK;
}

async function checkConnection(checkup, { uri, source, hider, timeoutMS }) {
  const settings = await checkOptions(checkup, uri, hider);
  if (settings === undefined) return;
  const { obstacle } = await checkNetwork(checkup, settings, hider);
  const namespace = await checkServer(checkup, { uri, settings, source, timeoutMS, hider });
  await checkOfficial(checkup, { uri, source: source ?? namespace, timeoutMS, obstacle });
}

module.exports = { summary: 'looks for what is wrong: this machine, the network, the server', usage, options, run };
