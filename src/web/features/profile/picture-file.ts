const MAX_BYTES = 2 * 1024 * 1024;

export type PictureCheck =
  | { readonly ok: true; readonly base64: string }
  | { readonly ok: false; readonly mensaje: string };

/** Reads a logo in the form in which it is sent: PNG or JPG of at most 2 MB, in base64 without a prefix. */
export async function readPicture(file: File): Promise<PictureCheck> {
  if (file.type !== 'image/png' && file.type !== 'image/jpeg') {
    return { ok: false, mensaje: 'El logotipo debe ser una imagen PNG o JPG.' };
  }
  if (file.size > MAX_BYTES) return { ok: false, mensaje: 'El logotipo no puede pasar de 2 MB.' };
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = '';
  for (let start = 0; start < bytes.length; start += 32_768) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 32_768)); // In slices: at once it overflows.
  }
  return { ok: true, base64: btoa(binary) };
}
