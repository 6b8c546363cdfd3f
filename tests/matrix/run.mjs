// Runs the WebAssembly build of async-matrix: node run.mjs MODULE FOLDER
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';
const [module, folder] = process.argv.slice(2);
const wasi = new WASI({ version: 'preview1', args: ['async-matrix', '/vectors'], preopens: { '/vectors': folder } });
const compiled = await WebAssembly.compile(await readFile(module));
wasi.start(await WebAssembly.instantiate(compiled, wasi.getImportObject()));
