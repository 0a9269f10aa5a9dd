'use strict';
// What a core was linked of, read from the core itself: the Go version and every module, with the texts of their licences.

const fs = require('node:fs');
const path = require('node:path');
const { run } = require('./run');

const root = path.join(__dirname, '..', '..');
const LICENCE_FILE = /^(licen[cs]e|copying|notice|patents|third[-_]party[-_]notices)/i;

// Told by a sentence of the text. A text that none of them has must be looked at by somebody.
const LICENCES = [
  ['Apache-2.0', /Apache License\s+Version 2\.0/],
  ['MIT', /Permission is hereby granted, free of charge, to any person obtaining a copy/],
  ['BSD-3-Clause', /Redistribution and use in source and binary forms[\s\S]*Neither the name/],
];

function licenceTexts(dir) {
  return fs.readdirSync(dir).filter((name) => LICENCE_FILE.test(name)).sort()
    .map((name) => ({ name, text: fs.readFileSync(path.join(dir, name), 'utf8').replaceAll('\r\n', '\n').trimEnd() }));
}

/** Some files hold several; the licence of the whole comes first. */
function licenceOf(name, texts) {
  const main = texts.find((file) => /^(licen[cs]e|copying)/i.test(file.name));
  if (main === undefined) throw new Error(`${name} has no licence file`);
  const found = LICENCES.map(([id, sentence]) => ({ id, at: main.text.search(sentence) })).filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at);
  if (found.length === 0) throw new Error(`The licence of ${name} is none that scripts/pack/modules.js knows: read it, and add it if it may be distributed with ours`);
  return found[0].id;
}

/**
 * @param {string} core the library
 * @returns {{ name: string, version: string, purl: string, sum?: string, licence: string, texts: { name: string, text: string }[] }[]}
 */
function componentsOf(core) {
  const info = run('go', ['version', '-m', core]);
  const goVersion = /: go(\S+)/.exec(info)[1];
  const modules = [...info.matchAll(/^\tdep\t(\S+)\t(\S+)\t(\S+)$/gm)].map(([, name, version, sum]) => ({ name, version, sum }));
  const dirs = new Map(run('go', ['list', '-m', '-f', '{{.Path}} {{.Dir}}', ...modules.map(({ name }) => name)], { cwd: root })
    .trim().split('\n').map((line) => line.split(/ (.*)/s)));
  const parts = [
    { name: 'go', version: goVersion, purl: `pkg:golang/std@${goVersion}`, dir: run('go', ['env', 'GOROOT']).trim() },
    nodeAddonApi(),
    ...modules.map((module) => ({ ...module, purl: `pkg:golang/${module.name}@${module.version}`, dir: dirs.get(module.name) })),
  ];
  return parts.map(({ dir, ...part }) => {
    const texts = licenceTexts(dir);
    return { ...part, licence: licenceOf(part.name, texts), texts };
  });
}

/** Its headers are compiled into the addon. */
function nodeAddonApi() {
  const dir = path.dirname(require.resolve('node-addon-api/package.json'));
  const { version } = require('node-addon-api/package.json');
  return { name: 'node-addon-api', version, purl: `pkg:npm/node-addon-api@${version}`, dir };
}

/** One file with all texts. */
function licencesText(components) {
  const rule = '='.repeat(80);
  return components.flatMap(({ name, version, texts }) => texts.map((file) => `${rule}\n${name} ${version}: ${file.name}\n${rule}\n\n${file.text}\n`)).join('\n');
}

module.exports = { componentsOf, licencesText };
