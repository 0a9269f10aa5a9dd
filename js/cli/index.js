'use strict';
// `npx rumongo-go <command>`: one file a command. What is asked for goes to stdout; progress and complaints go to stderr.

const { parseArgs } = require('node:util');
const { EXIT, Failure, UsageError } = require('./exit.js');
const { redactor } = require('./redact.js');
const { version } = require('../../package.json');

/**
 * Each: { summary, usage, options (of parseArgs), positionals: whether there are arguments that are no options, run(values,
 * io) -> exit code }.
 */
const COMMANDS = {
  cat: () => require('./cat.js'),
  compare: () => require('./compare/index.js'),
  doctor: () => require('./doctor/index.js'),
  export: () => require('./export/index.js'),
};

/**
 * @param {string[]} args without node and the script
 * @param {{ stdout: NodeJS.WritableStream, stderr: NodeJS.WritableStream, env: object }} [io]
 * @returns {Promise<number>} the exit code; does not reject
 */
async function main(args, io = process) {
  const [first, ...others] = args;
  // `help compare` is `compare --help`.
  const [name, ...rest] = first === 'help' && others.length > 0 ? [...others, '--help'] : args;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    (name === undefined ? io.stderr : io.stdout).write(overview());
    return name === undefined ? EXIT.USAGE : EXIT.OK;
  }
  if (name === '--version' || name === '-v') {
    io.stdout.write(`${version}\n`);
    return EXIT.OK;
  }
  if (!Object.hasOwn(COMMANDS, name)) {
    io.stderr.write(`rumongo-go: there is no command "${name}"\n\n${overview()}`);
    return EXIT.USAGE;
  }
  return await runCommand(name, rest, io);
}

async function runCommand(name, args, io) {
  const command = COMMANDS[name]();
  // Before anything is checked: even a complaint about an argument may repeat it.
  const redact = redactor([io.env.MONGODB_URI, ...args]);
  const complain = (message) => io.stderr.write(`rumongo-go ${name}: ${redact(message)}\n`);
  try {
    const values = parse(args, command);
    if (values.help) {
      io.stdout.write(command.usage);
      return EXIT.OK;
    }
    return await command.run(values, { ...sinks(io, redact), env: io.env });
  } catch (error) {
    complain(error?.message ?? String(error));
    if (error instanceof UsageError) io.stderr.write(`Try: npx rumongo-go ${name} --help\n`);
    return error instanceof Failure ? error.exit : EXIT.FAILED;
  }
}

function parse(args, { options, positionals: allowed = false }) {
  try {
    const { values, positionals } = parseArgs({ args, options: { ...options, help: { type: 'boolean', short: 'h' } }, strict: true, allowPositionals: allowed });
    return { ...values, positionals };
  } catch (error) {
    throw new UsageError(error.message.split('. ')[0]);
  }
}

/** Nothing leaves with a password in it. */
const sinks = (io, redact) => ({
  print: (text) => void io.stdout.write(`${redact(text)}\n`),
  stdout: io.stdout, // for what must come out as it is: documents
  stderr: io.stderr,
  redact,
});

function overview() {
  const lines = Object.entries(COMMANDS).map(([name, load]) => `  ${name.padEnd(10)} ${load().summary}`);
  return `Usage: npx rumongo-go <command> [options]\n\n${lines.join('\n')}\n\nnpx rumongo-go <command> --help tells more.\n`;
}

module.exports = { main, COMMANDS };
