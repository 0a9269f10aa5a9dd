'use strict';
// Functions on their way to a worker: as their source text, which sees its arguments, the globals and nothing else, or as
// the export of a module, which may see all that the module imports.

const path = require('node:path');
const vm = require('node:vm');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { invalidArgument } = require('../errors.js');

const BY_MODULE = '{ module, export }';
const HINT = ' (a function runs in another thread and cannot see the variables around it: put what it needs into init or its'
  + ` arguments, or pass ${BY_MODULE} for a function that imports what it needs)`;
const REMEDY_PATH = 'pass an absolute path or a file: URL, such as require.resolve(\'./reducers.js\') or new URL(\'./reducers.js\', import.meta.url)';

/**
 * What to send for a function, refused where it would not mean the same elsewhere.
 * @param {Function | { module: string | URL, export?: string }} value
 * @param {string} what the argument, for errors
 * @param {string} form how it is called, for errors: '(acc, doc) => acc'
 * @returns {{ source: string } | { module: string, export: string }}
 */
function portable(value, what, form) {
  if (typeof value === 'function') return { source: sourceOf(value, what, form) };
  if (typeof value !== 'object' || value === null || !('module' in value)) {
    throw invalidArgument(`Argument "${what}" must be a function ${form} or ${BY_MODULE}`);
  }
  return moduleOf(value, what);
}

/** As portable(), of a module only: a path or URL alone means its default export. */
function moduleOf(value, what) {
  if (typeof value === 'string' || value instanceof URL) return { module: hrefOf(value, what), export: 'default' };
  if (typeof value !== 'object' || value === null) throw invalidArgument(`Argument "${what}" must be ${BY_MODULE}: ${REMEDY_PATH}`);
  const { module, export: name = 'default', ...unknown } = value;
  for (const key in unknown) throw invalidArgument(`Argument "${what}" has an unknown property "${key}": pass ${BY_MODULE}`);
  if (typeof name !== 'string' || name === '') throw invalidArgument(`Argument "${what}.export" must be the name of an exported function`);
  return { module: hrefOf(module, `${what}.module`), export: name };
}

function hrefOf(module, what) {
  const text = module instanceof URL ? module.href : module;
  if (typeof text === 'string') {
    if (path.isAbsolute(text)) return pathToFileURL(text).href;
    if (/^file:/.test(text) && URL.canParse(text)) return text;
  }
  const got = typeof text === 'string' ? `"${text}"` : typeof text;
  throw invalidArgument(`Argument "${what}" is no absolute path and no file: URL, got ${got}: ${REMEDY_PATH}`);
}

function sourceOf(fn, what, form) {
  const remedy = `pass a function ${form} or ${BY_MODULE}`;
  const source = Function.prototype.toString.call(fn);
  if (source.endsWith('{ [native code] }')) {
    throw invalidArgument(`Argument "${what}" is a bound or built-in function and has no source to send to a worker: ${remedy}`);
  }
  if (/^class\b/.test(source)) throw invalidArgument(`Argument "${what}" is a class: ${remedy}`);
  if (/^(async\b\s*)?(function\b\s*)?\*/.test(source)) throw invalidArgument(`Argument "${what}" is a generator: ${remedy}`);
  if (formsOf(source).every((code) => syntaxError(code) !== null)) {
    throw invalidArgument(`Argument "${what}" cannot be read outside its class or object (a getter, super, a private name?): ${remedy}`,
      { cause: syntaxError(formsOf(source)[0]) });
  }
  return source;
}

// The source of a method, `add(acc, doc) { ... }`, is no expression, but it is a member of an object. In strict mode
// wherever it was written: an assignment to a variable that is not there is an error then, not a global that nobody sees.
const formsOf = (source) => [`'use strict';(${source}\n)`, `'use strict';({ ${source}\n})`];

/** Parses, runs nothing. */
function syntaxError(code) {
  try {
    new vm.Script(code);
    return null;
  } catch (error) {
    return error;
  }
}

/**
 * In the worker: the function of what portable() made.
 * @param {{ source?: string, module?: string, export?: string }} sent
 * @param {string} what
 */
async function load(sent, what) {
  return sent.source === undefined ? await exported(sent, what) : compile(sent.source, what);
}

function compile(source, what) {
  const [expression, member] = formsOf(source);
  const evaluate = (code) => vm.runInThisContext(code, { filename: what });
  if (syntaxError(expression) === null) return evaluate(expression);
  const object = evaluate(member);
  return object[Reflect.ownKeys(object)[0]];
}

async function exported({ module, export: name }, what) {
  const file = fileURLToPath(module);
  let namespace;
  try {
    namespace = await import(module);
  } catch (cause) {
    throw invalidArgument(`Argument "${what}": the module ${file} could not be loaded: ${cause?.message ?? cause}`, { cause });
  }
  // Node does not find every export of a CommonJS module by name; all of them are in its default.
  const found = [namespace[name], namespace.default?.[name]].find((one) => typeof one === 'function');
  if (found !== undefined) return found;
  const names = new Set([...Object.keys(namespace), ...Object.keys(namespace.default ?? {})]);
  names.delete('module.exports');
  throw invalidArgument(`Argument "${what}": the module ${file} exports no function "${name}"; it exports ${[...names].join(', ') || 'nothing'}`);
}

/** What to add to the message of an error that a function sent as source threw. */
function hintFor(error) {
  return error instanceof ReferenceError ? HINT : '';
}

module.exports = { portable, moduleOf, load, hintFor };
