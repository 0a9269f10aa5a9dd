'use strict';
// The TypeScript compiler over files that may be made up, with every source file parsed once.

const fs = require('node:fs');
const path = require('node:path');
const ts = require('typescript');

const root = path.join(__dirname, '..', '..');
const inRoot = (...parts) => path.join(root, ...parts);
const OURS = [inRoot('index.d.ts'), inRoot('types') + path.sep, inRoot('__tests__') + path.sep];

const BASE = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  skipLibCheck: false,
};
const NODE_NEXT = { ...BASE, module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext };
// What projects of before package "exports" have. It does not look a package up in its own package.json.
const COMMON_JS = {
  ...BASE, module: ts.ModuleKind.CommonJS, moduleResolution: ts.ModuleResolutionKind.Node10, esModuleInterop: true, paths: { 'rumongo-go': [inRoot('index.d.ts')] },
};

const parsed = new Map();

/**
 * @param {object} options
 * @param {{ [file: string]: string }} files text by path
 */
function program(options, files) {
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.getCurrentDirectory = () => root;
  host.fileExists = (file) => path.normalize(file) in files || fileExists(file);
  host.readFile = (file) => files[path.normalize(file)] ?? readFile(file);
  host.getSourceFile = (file, how, ...rest) => {
    const key = JSON.stringify([file, how.impliedNodeFormat]);
    if (!parsed.has(key)) parsed.set(key, getSourceFile.call(host, file, how, ...rest));
    return parsed.get(key);
  };
  return ts.createProgram({ rootNames: [inRoot('index.d.ts'), ...Object.keys(files)], options, host });
}

/** @returns {string[]} what the compiler has to say about our files, the declarations among them */
function complaints(compiled) {
  const ours = compiled.getSourceFiles().filter(({ fileName }) => OURS.some((place) => path.normalize(fileName).startsWith(place)));
  const found = [...compiled.getOptionsDiagnostics(), ...compiled.getGlobalDiagnostics()];
  for (const file of ours) found.push(...compiled.getSyntacticDiagnostics(file), ...compiled.getSemanticDiagnostics(file));
  return found.map((one) => ts.formatDiagnostic(one, { getCurrentDirectory: () => root, getCanonicalFileName: (name) => name, getNewLine: () => '\n' }));
}

const readCase = (name) => fs.readFileSync(path.join(__dirname, 'cases', name), 'utf8');
const casePath = (name) => path.join(__dirname, 'cases', name);

module.exports = { ts, program, complaints, readCase, casePath, inRoot, NODE_NEXT, COMMON_JS };
