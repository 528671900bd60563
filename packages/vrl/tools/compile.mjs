import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { PACKAGE } from './record.mjs';

/** Debian's packages that the module is built with. */
const DEBIAN_PACKAGES = ['rustc-web', 'cargo-web', 'rust-web-src', 'lld-22', 'clang-22', 'llvm-22', 'wasi-libc'];

/** Not a dependency of the workspace: it is a hundred megabytes that nobody else needs. */
const BINARYEN = '132.0.0';

const OPTIMISE = [
  '-Oz',
  '--enable-bulk-memory',
  '--enable-multivalue',
  '--enable-mutable-globals',
  '--enable-nontrapping-float-to-int',
  '--enable-reference-types',
  '--enable-sign-ext',
  '--strip-producers',
  '--strip-target-features',
];

/** What is installed of the toolchain, by name; a package that is missing has no entry. */
export function installedToolchain() {
  const versions = DEBIAN_PACKAGES.flatMap((name) => {
    const version = debianVersion(name);
    return version === undefined ? [] : [[name, version]];
  });
  return { ...Object.fromEntries(versions), binaryen: BINARYEN };
}

export function missingPackages() {
  const installed = installedToolchain();
  return DEBIAN_PACKAGES.filter((name) => installed[name] === undefined);
}

function debianVersion(name) {
  try {
    const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    const [, version] = execFileSync('dpkg-query', ['--show', name], options).trimEnd().split('\t');
    return version;
  } catch {
    // Either Debian does not have the package installed, or this is not Debian: for us that is one answer.
    return undefined;
  }
}

/** Builds the module from the crate. `target` is cargo's folder for intermediate files. */
export function compileTo(output, target) {
  // Debian's compiler, also where another one comes first on the path.
  const env = { ...process.env, PATH: `/usr/bin:${process.env.PATH}`, RUSTC_BOOTSTRAP: '1' };
  const stdio = ['ignore', 'inherit', 'inherit'];
  const cargo = ['build', '--release', '--locked', '--target-dir', target];
  execFileSync('/usr/bin/cargo', cargo, { cwd: join(PACKAGE, 'crate'), env, stdio });
  const linked = join(target, 'wasm32-wasip1/release/a2c_vrl.wasm');
  const wasmOpt = ['exec', '--yes', `--package=binaryen@${BINARYEN}`, '--', 'wasm-opt', ...OPTIMISE];
  execFileSync('npm', [...wasmOpt, linked, '-o', output], { stdio });
}
