'use strict';
// What ESLint looks for: faults, and one way to write each thing. The style is what the code has; `npm run lint -- --fix`
// writes it. Rules that found only noise here are not on.

const js = require('@eslint/js');
const stylistic = require('@stylistic/eslint-plugin');
const globals = require('globals');

const style = (stylistic.default ?? stylistic).configs.customize({
  indent: 2, quotes: 'single', semi: true, arrowParens: true, braceStyle: '1tbs', commaDangle: 'only-multiline', quoteProps: 'consistent-as-needed',
});

module.exports = [
  { ignores: ['build/', 'coverage/', 'bench/results/'] },
  js.configs.recommended,
  style,
  { files: ['**/*.js'], languageOptions: { ecmaVersion: 2024, sourceType: 'commonjs', globals: globals.node } },
  { files: ['**/*.mjs'], languageOptions: { ecmaVersion: 2024, sourceType: 'module', globals: globals.node } },
  { files: ['**/*.js'], rules: { 'strict': ['error', 'global'] } },
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      // Faults.
      'no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_', varsIgnorePattern: '^_+$' }],
      'no-control-regex': 'off', // server messages and names may have them
      'eqeqeq': ['error', 'always', { null: 'ignore' }],
      'array-callback-return': 'error',
      'no-constructor-return': 'error',
      'no-self-compare': 'error',
      'no-shadow': 'error',
      'no-throw-literal': 'error',
      'no-unused-expressions': 'error',
      'no-use-before-define': ['error', { functions: false, classes: false, variables: false }],
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'no-extend-native': 'error',
      'no-labels': 'error',
      'radix': 'error',
      // One way.
      'no-var': 'error',
      'prefer-const': 'error',
      'prefer-object-has-own': 'error',
      'prefer-rest-params': 'error',
      'prefer-spread': 'error',
      'prefer-template': 'off', // '...' + x, where a text is put together over lines
      'object-shorthand': 'error',
      'dot-notation': 'error',
      'logical-assignment-operators': 'error',
      'no-else-return': 'error',
      'no-lonely-if': 'error',
      'no-implicit-coercion': 'error',
      'no-unneeded-ternary': 'error',
      'no-useless-rename': 'error',
      'no-useless-return': 'error',
      'default-case-last': 'error',
      '@stylistic/list-style': 'off',
      '@stylistic/max-statements-per-line': 'off',
      '@stylistic/multiline-ternary': 'off',
      '@stylistic/quote-props': 'off',
      '@stylistic/generator-star-spacing': ['error', { before: false, after: true, method: { before: true, after: false } }],
      '@stylistic/quotes': ['error', 'single', { avoidEscape: true, allowTemplateLiterals: 'always' }],
      '@stylistic/no-multi-spaces': ['error', { ignoreEOLComments: true }],
    },
  },
  {
    // Documents become object literals by code that is compiled for their shape. Nowhere else.
    files: ['js/frames/shapes.js', 'js/decoder/key-node.js', 'bench/readers/floors.js'],
    rules: { 'no-new-func': 'off' },
  },
  {
    files: ['__tests__/**'],
    rules: {
      'no-prototype-builtins': 'off', // what users' code calls on documents
      'no-shadow': 'off', // `before` and `after` are node:test's, and good names
      'no-throw-literal': 'off', // what users' code throws
      'no-loss-of-precision': 'off', // numbers in Extended JSON
      'no-new-func': 'off', // functions without source
    },
  },
];
