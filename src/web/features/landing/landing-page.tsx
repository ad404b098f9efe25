export function Component() {
  return <h1>Cada factura deja su huella.</h1>;
}
