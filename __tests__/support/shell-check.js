'use strict';
// Whether the commands that documentation tells people to type exist, with their options. Nothing is run but `node --version`
// with Node's options.

const fs = require('node:fs');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const { parseArgs } = require('node:util');
const { root, read } = require('./markdown.js');
const { COMMANDS } = require('../../js/cli/index.js');
const { testFiles } = require('../../scripts/test.js');

const manifest = JSON.parse(read('package.json'));
const DEPENDENCIES = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.peerDependencies };
// Programs that are not ours: that they are called like this is all that is looked at.
const OTHERS = new Set(['cd', 'curl', 'docker', 'export', 'git', 'jq', 'perf', 'set']);
const THEIR_FILES = new Set(['app.js']); // of the reader

/** The words of a line of shell, without quotes; `|`, `;` and `&&` are words. Enough for what documentation has. */
function words(line) {
  const found = [];
  let word = null;
  for (const [token] of line.matchAll(/'[^']*'|"[^"]*"|\s+|&&|[|;]|#|[^\s'"|;#&]+|&/g)) {
    if (token === '#' && word === null) break;
    if (/^\s/.test(token) || token === '|' || token === ';' || token === '&&') {
      if (word !== null) found.push(word);
      word = null;
      if (!/^\s/.test(token)) found.push(token);
    } else word = (word ?? '') + (/^['"]/.test(token) ? token.slice(1, -1) : token);
  }
  if (word !== null) found.push(word);
  return found;
}

/** @returns {string[]} what is wrong with the commands of a shell block */
function complaintsOf(code) {
  const complaints = [];
  for (const line of code.replaceAll('\\\n', ' ').split('\n')) {
    let command = [];
    for (const word of [...words(line), ';']) {
      if (!['|', ';', '&&'].includes(word)) {
        command.push(word);
        continue;
      }
      while (/^[A-Z][A-Z0-9_]*=/.test(command[0])) command.shift(); // the command's environment
      const complaint = command.length === 0 ? null : complaintOf(command);
      if (complaint !== null) complaints.push(`${command.join(' ')}: ${complaint}`);
      command = [];
    }
  }
  return complaints;
}

function complaintOf([program, ...args]) {
  if (program === 'npm') return npm(args);
  if (program === 'npx') return args[0] === manifest.name ? cli(args.slice(1)) : `the package ${args[0]} is not known here`;
  if (program === 'node') return node(args);
  if (program === 'go') return go(args);
  if (program === 'diff') return args.map(missing).find(Boolean) ?? null;
  return OTHERS.has(program) ? null : 'nothing is known of this program: mark the block, or add it to the others';
}

const missing = (file) => (fs.existsSync(path.join(root, file)) ? null : `there is no ${file}`);

function npm([verb, ...args]) {
  if (['install', 'i', 'ci', 'uninstall', 'rebuild'].includes(verb)) {
    const name = args.find((arg) => !arg.startsWith('-'))?.replace(/(.)@.*/, '$1');
    return name === undefined || name === manifest.name || name in DEPENDENCIES ? null : `the package ${name} is not known here`;
  }
  const [script, rest] = verb === 'run' ? [args[0], args.slice(1)] : [verb, args];
  const runs = manifest.scripts[script];
  if (runs === undefined) return `package.json has no script ${script}`;
  const own = rest[0] === '--' ? rest.slice(1) : rest;
  if (own.length > 0 && rest[0] !== '--') return 'arguments of a script come after --';
  if (script === 'test') return tests(own);
  return options(/node (\S+\.js)/.exec(runs)?.[1], own);
}

function tests(names) {
  try {
    testFiles(names);
    return null;
  } catch (error) {
    return error.message;
  }
}

function cli(args) {
  const [name, ...rest] = args;
  if (['--version', '--help', 'help'].includes(name)) return null;
  if (name === '<command>' || name === undefined) return null;
  if (!Object.hasOwn(COMMANDS, name)) return `there is no command ${name}`;
  const { options: known, positionals = false } = COMMANDS[name]();
  try {
    parseArgs({ args: rest, options: { ...known, help: { type: 'boolean', short: 'h' } }, strict: true, allowPositionals: positionals });
    return null;
  } catch (error) {
    return error.message;
  }
}

function node(args) {
  const at = args.findIndex((arg) => !arg.startsWith('-'));
  const [flags, file, rest] = at === -1 ? [args, undefined, []] : [args.slice(0, at), args[at], args.slice(at + 1)];
  const { status, stderr } = spawnSync(process.execPath, [...flags.filter((flag) => flag !== '--test'), '--version'], { encoding: 'utf8' });
  if (status !== 0) return stderr.trim();
  if (file === undefined || THEIR_FILES.has(file)) return null;
  return missing(file) ?? options(file, rest);
}

/** A script's options are named in it, or in its neighbours. */
function options(file, args) {
  if (file === undefined) return args.length === 0 ? null : 'a script that is no file of ours has no options';
  const folder = path.dirname(file);
  const source = fs.readdirSync(path.join(root, folder), { recursive: true }).filter((name) => name.endsWith('.js')).map((name) => read(path.join(folder, name))).join('\n');
  const unknown = args.filter((arg) => arg.startsWith('--')).map((arg) => arg.slice(2).split('=')[0])
    .find((name) => !new RegExp(`['"\`]${name}['"\`]|--${name}\\b|^\\s*['"]?${name}['"]?: \\{ type`, 'm').test(source));
  return unknown === undefined ? null : `${file} has no option --${unknown}`;
}

function go([verb, ...args]) {
  if (!['test', 'build', 'vet', 'tool', 'run'].includes(verb)) return `go ${verb} is not looked at`;
  return args.filter((arg) => arg.startsWith('./')).map((place) => missing(place.replace('/...', ''))).find(Boolean) ?? null;
}

module.exports = { words, complaintsOf };
