/** What runs in the thread that checks a cadena: whose it is, then its registros, then where it ended. */

import { parentPort } from 'node:worker_threads';
import type { VerificarCadenaAnswer } from '../contract/evidence.ts';
import type { CadenaEnds, KeptRegistros } from '../store/registros.ts';
import { CadenaCheck, type OwnerOfCadena } from './check-cadena.ts';

export type CheckingQuestion =
  | { readonly owner: OwnerOfCadena }
  | { readonly registros: KeptRegistros }
  | { readonly ends: CadenaEnds };

let check: CadenaCheck | undefined;

parentPort?.on('message', (question: CheckingQuestion) => {
  let answer: VerificarCadenaAnswer | null = null;
  if ('owner' in question) check = new CadenaCheck(question.owner);
  else if ('registros' in question) check?.add(question.registros);
  else answer = check?.finish(question.ends) ?? null;
  parentPort?.postMessage(answer);
});
