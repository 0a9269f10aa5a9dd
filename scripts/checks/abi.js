'use strict';
// The C interface between core and glue, as each side has it: functions that are declared, exported and called; structs as
// the C and the C++ compiler lay them out and as JavaScript reads them; numbers that are written down more than once.
// What cgo and the C++ compiler compare by themselves is compared again, because they see only what is included.

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { root } = require('../ensure');
const { passed, failed, run, files } = require('./command');
const { OP, KIND } = require('../../js/native/bridge');
const { ABI } = require('../../js/native/binding');
const { RECORD, EVENT, FLAG } = require('../../js/native/chunk');
const { EVENTS } = require('../../js/monitoring/names');

const read = (file) => fs.readFileSync(path.join(root, file), 'utf8');
const code = (text) => text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '');

/** The texts that are compared, by file. */
function sources() {
  const names = files('core/cabi/*.h', 'core/cabi/*.c', 'core/cabi/*.go', 'napi/*.h', 'napi/*.cc', 'core/fetch/outlet.go', 'core/driver/monitor.go');
  return Object.fromEntries(names.map((name) => [name, read(name)]));
}

const squeeze = (type) => type.replace(/\bextern\b|\bstatic\b/g, '').replace(/\s+/g, ' ').replace(/ ?\* ?/g, '*').trim();

/** 'uint8_t *text, size_t n' as types: the name is the last word, and an array is a pointer. */
function cParameters(text) {
  return code(text).split(',').map(squeeze).filter((one) => one !== '' && one !== 'void')
    .map((one) => squeeze(one.replace(/\b(\w+)((?:\[\w*\])?)$/, (_, name, array) => (array === '' ? '' : '*'))));
}

function goType(type) {
  if (type === '') return 'void';
  if (type === 'unsafe.Pointer') return 'void*';
  const [, stars, name] = /^(\**)C\.(\w+)$/.exec(type) ?? [null, '', `${type} (of Go)`];
  return name + stars;
}

/** 'a, b C.int, c *C.char': in Go names that are followed by a comma have the type of the next. */
function goParameters(text) {
  const types = [];
  let waiting = 0;
  for (const one of text.split(',').map((part) => part.trim()).filter(Boolean)) {
    const [, type] = one.split(' ');
    waiting++;
    if (type === undefined) continue;
    for (; waiting > 0; waiting--) types.push(goType(type));
  }
  return types;
}

const signature = (result, parameters) => `${squeeze(result)}(${parameters.join(', ')})`;

function functions(texts) {
  const found = { declared: new Map(), own: new Map(), exported: new Map(), called: new Set() };
  for (const [file, text] of Object.entries(texts)) {
    const inGlue = file.startsWith('napi/');
    const declarations = file.endsWith('.go') ? found.own : found.declared;
    for (const [, result, name, parameters] of text.matchAll(/^extern (.+?)\b(rmg_\w+)\(([^)]*)\);/gm)) declarations.set(name, signature(result, cParameters(parameters)));
    for (const [, named, name, parameters, result] of text.matchAll(/^\/\/export (\w+)\nfunc (\w+)\((.*?)\) ?(.*?) ?\{/gm)) {
      found.exported.set(named, named === name ? signature(goType(result), goParameters(parameters)) : `func ${name}`);
    }
    if (file.endsWith('.c')) for (const [, result, name, parameters] of text.matchAll(/^(\w.*?)\b(rmg_\w+)\((.*)\) \{$/gm)) found.exported.set(name, signature(result, cParameters(parameters)));
    if (inGlue) for (const [, name] of code(text).matchAll(/\b(rmg_\w+)\(/g)) found.called.add(name);
  }
  return found;
}

function compareFunctions(texts) {
  const { declared, own, exported, called } = functions(texts);
  const wrong = [];
  for (const [name, wanted] of declared) {
    if (!exported.has(name)) wrong.push(`${name} is declared, and the core does not export it`);
    else if (exported.get(name) !== wanted) wrong.push(`${name} is declared as ${wanted}, and exported as ${exported.get(name)}`);
    if (!called.has(name)) wrong.push(`${name} is declared, and the glue never calls it`);
  }
  for (const [name, has] of exported) {
    // The core's own, called by C code in the same file.
    if (own.has(name) && own.get(name) !== has) wrong.push(`${name} is declared as ${own.get(name)}, and exported as ${has}`);
    if (!declared.has(name) && !own.has(name)) wrong.push(`${name} is exported, and declared nowhere`);
  }
  for (const name of called) if (!declared.has(name)) wrong.push(`${name} is called by the glue, and declared nowhere`);
  return { wrong, count: declared.size };
}

/** The built files by their symbols: what the sources say is not yet what was linked. */
function compareSymbols(declared) {
  const release = path.join(root, 'build', 'Release');
  const symbols = (file, which) => run('nm', ['-D', which, path.join(release, file)]);
  const core = symbols('librumongo.so', '--defined-only');
  const addon = symbols('rumongo.node', '--undefined-only');
  if (core.status !== 0 || addon.status !== 0) return null;
  const has = (text, name) => new RegExp(`\\b${name}$`, 'm').test(text);
  return [...declared].flatMap((name) => [
    ...(has(core.stdout, name) ? [] : [`${name} is not a symbol of librumongo.so`]),
    ...(has(addon.stdout, name) ? [] : [`${name} is not a symbol that rumongo.node asks for`]),
  ]);
}

/** @returns {Map<string, string[]>} names of fields by struct */
function structs(text) {
  const found = new Map();
  for (const [, name, body] of code(text).matchAll(/\bstruct (\w+) \{([^}]*)\}/g)) {
    found.set(name, body.split(';').map((field) => /(\w+)\s*$/.exec(field)?.[1]).filter(Boolean));
  }
  return found;
}

/** Sizes and offsets as a compiler has them, by 'struct' and 'struct.field'. */
function layout(texts, language) {
  const inbox = /struct RecordHeader \{[^}]*\};/.exec(texts['napi/inbox.h'])[0];
  const all = new Map([...structs(texts['core/cabi/abi.h']), ...structs(inbox)]);
  const lines = [...all].flatMap(([name, fields]) => [
    `printf("${name} %zu\\n", sizeof(struct ${name}));`,
    ...fields.map((field) => `printf("${name}.${field} %zu\\n", offsetof(struct ${name}, ${field}));`),
  ]);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rumongo-abi-'));
  try {
    const source = path.join(folder, 'layout.txt');
    const program = path.join(folder, 'layout');
    fs.writeFileSync(path.join(folder, 'abi.h'), texts['core/cabi/abi.h']);
    fs.writeFileSync(source, `#include <stdio.h>\n#include "abi.h"\n${inbox}\nint main(void) {\n${lines.join('\n')}\nreturn 0;\n}\n`);
    const compiler = [process.env.CXX, 'g++', 'c++', 'clang++'].find((name) => name && run(name, ['--version']).status === 0) ?? 'c++';
    const compiled = run(compiler, ['-x', language, source, '-o', program]);
    if (compiled.status !== 0) throw new Error(`the structs of abi.h do not compile as ${language}: ${compiled.output}`);
    return new Map(run(program, []).stdout.trim().split('\n').map((line) => line.split(' ')).map(([name, value]) => [name, Number(value)]));
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

/** Indexes of words, and of doubles, in JavaScript: what they stand for in C. */
const READ_BY_JS = [
  ['RecordHeader', 4, { KIND_AND_FLAGS: 'kind_and_flags', COUNT: 'count', LENGTH: 'length', SLOT: 'slot', SIZE: 'size' }, RECORD],
  ['rmg_event', 4, { KIND: 'kind', INFO: 'info_size', BODY: 'body_size', SIZE: 'size' }, EVENT],
  ['rmg_event', 8, { TOKEN: 'token' }, EVENT],
];

function compareLayouts(texts) {
  const c = layout(texts, 'c');
  const cxx = layout(texts, 'c++');
  const wrong = [...c].filter(([name, value]) => cxx.get(name) !== value).map(([name, value]) => `${name} is ${value} in C, ${cxx.get(name)} in C++`);
  for (const [struct, width, fields, indexes] of READ_BY_JS) {
    if (indexes.BYTES !== c.get(struct)) wrong.push(`${struct} has ${c.get(struct)} bytes, JavaScript reads ${indexes.BYTES}`);
    for (const [name, field] of Object.entries(fields)) {
      if (indexes[name] * width !== c.get(`${struct}.${field}`)) wrong.push(`${struct}.${field} is at ${c.get(`${struct}.${field}`)}, JavaScript reads it at ${indexes[name] * width}`);
    }
  }
  return { wrong, count: [...c.keys()].filter((name) => !name.includes('.')).length };
}

function compareNumbers(texts) {
  const header = texts['core/cabi/abi.h'];
  const inHeader = (name) => Number(new RegExp(`\\b${name}(?: = | )(\\d+)`).exec(code(header))?.[1]);
  const inFetch = (name) => Number(new RegExp(`\\b${name}\\s+Kind = (\\d+)`).exec(texts['core/fetch/outlet.go'])?.[1]);
  const pairs = [
    ['RMG_ABI', 'js/native/binding.js', ABI],
    ...Object.entries(OP).map(([name, value]) => [`RMG_OP_${name}`, 'js/native/bridge.js', value]),
    ...Object.entries(KIND).map(([name, value]) => [`RMG_KIND_${name}`, 'js/native/bridge.js', value]),
    ...Object.entries(FLAG).map(([name, value]) => [`RMG_${name}`, 'js/native/chunk.js', value]),
    ...['Frames', 'Lazy', 'Reply', 'Text', 'Columns'].map((name) => [`RMG_KIND_${name.toUpperCase()}`, 'core/fetch/outlet.go', inFetch(name)]),
  ];
  const wrong = pairs.filter(([name, , value]) => inHeader(name) !== value).map(([name, file, value]) => `${name} is ${inHeader(name)} in abi.h, ${value} in ${file}`);
  const kinds = /CommandStarted EventKind = iota\n([\s\S]*?)\n\)/.exec(texts['core/driver/monitor.go'])[1].trim().split(/\s+/);
  kinds.unshift('CommandStarted');
  // The names are the official driver's in JavaScript; Go leaves out what its types say: connectionPoolCreated, PoolCreated.
  const same = kinds.length === EVENTS.length && EVENTS.every((name, i) => name.toLowerCase().endsWith(kinds[i].toLowerCase()));
  if (!same) wrong.push(`events: core/driver/monitor.go has ${kinds.join(', ')}; js/monitoring/names.js has ${EVENTS.join(', ')}`);
  return { wrong, count: pairs.length + EVENTS.length };
}

/** @returns {{ wrong: string[], said: string }} what has drifted apart in these texts */
function compare(texts) {
  const parts = { functions: compareFunctions(texts), structs: compareLayouts(texts), numbers: compareNumbers(texts) };
  return {
    wrong: Object.values(parts).flatMap(({ wrong }) => wrong),
    said: Object.entries(parts).map(([name, { count }]) => `${count} ${name}`).join(', '),
  };
}

function check() {
  const texts = sources();
  const { wrong, said } = compare(texts);
  const symbols = compareSymbols(functions(texts).declared.keys());
  const all = [...wrong, ...(symbols ?? [])];
  if (all.length > 0) return failed(`${all.length} differences`, all.join('\n'));
  return passed(`${said}${symbols === null ? '; symbols of the build not compared: no build for Linux, or no nm' : ', symbols of the build'}`);
}

module.exports = { check, compare, sources };
