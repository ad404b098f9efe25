/** A clear message, because an older Node would first fail with a syntax error. */
export function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`Huella necesita Node 20.19 o posterior, y este es el ${process.versions.node}.`);
  process.exit(1);
}
