// Runs pytest on a CPython in WebAssembly, for a version that is nowhere installed:
//
//     npm install pyodide@314      (CPython 3.14; in any folder)
//     node tests/support/pyodide.mjs FOLDER/node_modules/pyodide SITE-PACKAGES TEST...
//
// SITE-PACKAGES is where pytest is, of any version of CPython.  There is no C compiler, no
// process and no thread: flow graphs can be tested, native code cannot.
import path from "path";
import { fileURLToPath } from "url";

const [folder, packages, ...tests] = process.argv.slice(2);
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const { loadPyodide } = await import(path.resolve(folder, "pyodide.mjs"));
const env = { PYTHONHASHSEED: "0", PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1", RPYTHON_UNTRIED: "1" };
const python = await loadPyodide({ env });
for (const [at, from] of [["/tree", root], ["/packages", path.resolve(packages)]]) {
  python.FS.mkdirTree(at);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: from }, at);
}
python.globals.set("tests", tests);
process.exitCode = python.runPython(`
import os, sys
sys.dont_write_bytecode = True
sys.path[:] = ["/tree", *sys.path, "/packages"]
os.chdir("/tree")
import pytest
print(sys.version)
int(pytest.main(["--noconftest", "-p", "no:cacheprovider", *tests]))
`);
