/** The server's limit (10 MB); it also limits the pages of a PDF. */
const MAX_BYTES = 10 * 1024 * 1024;

/** The types offered in the file dialog. */
export const ACCEPTED = '.pdf,.jpg,.jpeg,.png,application/pdf,image/jpeg,image/png';
/** The types that a camera produces. */
export const CAMERA = 'image/jpeg,image/png';

/** Why a file is not worth sending, in a sentence, or null. The server judges its content. */
export function fileProblem({ name, size, type }: Pick<File, 'name' | 'size' | 'type'>) {
  if (/\.(heic|heif)$/i.test(name) || /^image\/hei[cf]/.test(type)) {
    return 'Las fotos HEIC no se pueden leer. Convierte la foto a JPG.';
  }
  const isKnown =
    /\.(pdf|jpe?g|png)$/i.test(name) || /^(application\/pdf|image\/(jpeg|png))$/.test(type);
  if (!isKnown) return 'No es un PDF, un JPG ni un PNG.';
  if (size === 0) return 'El archivo está vacío. Vuelve a guardarlo o a descargarlo.';
  if (size > MAX_BYTES) {
    return `Ocupa ${megabytes(size)} y el máximo son 10 MB. Guárdalo con menos calidad o sepáralo.`;
  }
  return null;
}

function megabytes(size: number): string {
  return `${(Math.ceil((size / 1024 / 1024) * 10) / 10).toLocaleString('es-ES')}\u00a0MB`;
}
