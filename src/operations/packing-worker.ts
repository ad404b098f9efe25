/** What runs in the thread that packs an export. */

import { type PackedRegistros, packCadena, type RegistrosToPack } from './pack-registros.ts';
import { answerInPieces, type InThread } from './thread-side.ts';

export interface ExportInThread extends RegistrosToPack, InThread {}

answerInPieces<ExportInThread, PackedRegistros>(packCadena, ({ members }) => [members.buffer]);
