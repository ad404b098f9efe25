/** Runs in the thread that checks a cadena. */

import { checkCadena } from '../operations/check-cadena.ts';
import { answerInPieces } from './answer-in-pieces.ts';

answerInPieces<'checking-worker'>(checkCadena);
