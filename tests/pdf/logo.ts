import sharp from 'sharp';

let drawn: Promise<Buffer> | undefined;

/** The bakery's logo: a flame and its name, on transparent ground. Drawn once per process. */
export function bakeryLogo(): Promise<Buffer> {
  drawn ??= drawLogo();
  return drawn;
}

function drawLogo(): Promise<Buffer> {
  return sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="552" height="208" viewBox="0 0 552 208">
      <path d="M64 4c8 30 2 40 22 62 22 24 44 46 44 84a66 52 0 0 1-128 0c0-34 10-50 20-72 4 12 8 18 16 22 4-40 18-58 26-96z" fill="#b4532a"/>
      <path d="M66 112c4 18 28 30 28 58a28 28 0 0 1-56 0c0-22 24-36 28-58z" fill="#f6e3d0"/>
      <g fill="#3b2318" font-family="Liberation Serif, DejaVu Serif, serif" font-weight="700" font-size="96">
        <text x="168" y="94">Obrador</text><text x="168" y="186">Candela</text>
      </g></svg>`),
    { density: 144 },
  )
    .png()
    .toBuffer();
}
