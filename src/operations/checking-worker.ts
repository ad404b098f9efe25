/** What runs in the thread that checks a cadena. */

import { type CadenaToCheck, checkCadena } from './check-cadena.ts';
import { answerInPieces, type InThread } from './thread-side.ts';

export interface CadenaInThread extends CadenaToCheck, InThread {}

answerInPieces<CadenaInThread, unknown>(checkCadena);
