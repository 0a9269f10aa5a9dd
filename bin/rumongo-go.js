#!/usr/bin/env node
'use strict';

const { main } = require('../js/cli/index.js');

main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
