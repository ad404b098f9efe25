/** Says it in words: with an older Node the first thing to fail would be a syntax error. */
export function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`Huella necesita Node 20.19 o posterior, y este es el ${process.versions.node}.`);
  process.exit(1);
}
