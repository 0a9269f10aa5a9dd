'use strict';
// A reducer travels as its source text: what it can see is its arguments, the globals, and nothing else.

const vm = require('node:vm');
const { invalidArgument } = require('../errors.js');

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
    throw invalidArgument('Argument "reducer" is a bound or built-in function and has no source to send to a worker: pass a function (acc, doc) => acc');
  }
  return source;
}

/** Makes the function of a source, in the worker. */
function compile(source) {
  const options = { filename: 'reducer', lineOffset: 0 };
  try {
    return vm.runInThisContext(`(${source}\n)`, options);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The source of a method, `add(acc, doc) { ... }`, is no expression, but it is a member of an object.
    const methods = vm.runInThisContext(`({ ${source}\n})`, options);
    return Object.values(methods)[0];
  }
}

/** Says what a ReferenceError in a reducer means. */
function explain(error) {
  if (error?.name === 'ReferenceError') {
    error.message += ' (a reducer runs in another thread and cannot see the variables around it: put what it needs into init)';
  }
  return error;
}

module.exports = { sourceOf, compile, explain };
