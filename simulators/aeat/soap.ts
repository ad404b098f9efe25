import { isUtf8 } from 'node:buffer';
import { Fault } from './fault.ts';
import { NS } from './namespaces.ts';
import { childOf, parseXml, XmlError, type XmlNode } from './xml.ts';

/**
 * The message inside the SOAP Body.
 *
 * @throws {Fault} 4138 empty, 4119 not UTF-8, 4103 not well formed, 4102 not a SOAP envelope.
 */
export function readEnvelope(body: Buffer): XmlNode {
  if (body.length === 0) throw new Fault(4138, 'La petición está vacía.');
  if (!isUtf8(body)) throw new Fault(4119, 'Hay caracteres cuya codificación no es UTF-8.');
  const root = parse(body.toString());
  const isEnvelope = root.name === 'Envelope' && root.uri === NS.soap;
  const message = isEnvelope ? childOf(root, NS.soap, 'Body')?.children[0] : undefined;
  if (!message) throw new Fault(4102, 'El XML no cumple el esquema: no es un mensaje SOAP 1.1.');
  return message;
}

function parse(text: string): XmlNode {
  try {
    return parseXml(text);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw new Fault(4103, `No se ha podido leer el XML: ${error.message}`);
  }
}

/** The NIF that the message concerns, if it can be found: only used to file the request. */
export function nifOf(message: XmlNode): string | undefined {
  const cabecera = message.children.find(({ name }) => name === 'Cabecera');
  const titular = cabecera?.children.find(
    ({ name }) => name === 'ObligadoEmision' || name === 'Destinatario',
  );
  return titular?.children.find(({ name }) => name === 'NIF')?.text.trim();
}
