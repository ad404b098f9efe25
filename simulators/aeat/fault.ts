/** The whole message is refused and nothing of it is stored. */
export class Fault extends Error {
  readonly code: number;
  /** `Client`: correct the message. `Server`: try again. */
  readonly faultcode: 'Client' | 'Server';

  constructor(code: number, text: string, faultcode: 'Client' | 'Server' = 'Client') {
    super(text);
    this.code = code;
    this.faultcode = faultcode;
  }
}
