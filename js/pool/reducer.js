'use strict';
// A reducer travels as its source text: what it can see is its arguments, the globals, and nothing else.

const vm = require('node:vm');
const { invalidArgument } = require('../errors.js');

const REMEDY = 'pass a function (acc, doc) => acc';
const HINT = ' (a reducer runs in another thread and cannot see the variables around it: put what it needs into init)';

/**
 * The source of a reducer, refused where it would not mean the same elsewhere.
 * @param {(acc: any, doc: any) => any} reducer
 */
function sourceOf(reducer) {
  if (typeof reducer !== 'function') {
    throw invalidArgument('Argument "reducer" must be a function (acc, doc) => acc');
  }
  const source = Function.prototype.toString.call(reducer);
  if (source.endsWith('{ [native code] }')) {
    throw invalidArgument(`Argument "reducer" is a bound or built-in function and has no source to send to a worker: ${REMEDY}`);
  }
  if (/^class\b/.test(source)) throw invalidArgument(`Argument "reducer" is a class: ${REMEDY}`);
  if (/^(async\b\s*)?(function\b\s*)?\*/.test(source)) throw invalidArgument(`Argument "reducer" is a generator: ${REMEDY}`);
  return source;
}

/**
 * Makes the function of a source, in the worker. In strict mode wherever it was written: an assignment to a variable
 * that is not there is an error then, not a global that is never looked at.
 */
function compile(source) {
  const evaluate = (code) => vm.runInThisContext(`'use strict';${code}`, { filename: 'reducer' });
  try {
    return evaluate(`(${source}\n)`);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The source of a method, `add(acc, doc) { ... }`, is no expression, but it is a member of an object.
    const found = methodOf(evaluate, source);
    if (typeof found !== 'function') throw error;
    return found;
  }
}

function methodOf(evaluate, source) {
  try {
    return Object.values(evaluate(`({ ${source}\n})`))[0];
  } catch {
    return undefined; // the first error says more
  }
}

/** What to add to the message of an error that a reducer threw. */
function hintFor(error) {
  return error instanceof ReferenceError ? HINT : '';
}

module.exports = { sourceOf, compile, hintFor };
