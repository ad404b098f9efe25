/** Runs in the thread that packs an export. */

import { packCadena } from '../operations/pack-registros.ts';
import { answerInPieces } from './answer-in-pieces.ts';

answerInPieces<'packing-worker'>(packCadena, ({ members }) => [members.buffer]);
