import type { Logo } from './message.ts';

/**
 * Our logo (`web/public/favicon.svg` in green), shown 22 pixels high, in four times that resolution for sharp screens.
 * Many mail programs show no SVG, and drawing it here would load what draws pictures into every dispatcher.
 */
export const HUELLA_MARK = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAFgAAABYBAMAAACDuy0HAAAAMFBMVEVMaXEQe10Oel4Oe18Oe14Oe14Oe14Oe14Oe14Oel4Oel8Oel4Oel4Oe14Oel4Pe18PhyCLAAAAD3RSTlMAD3IdR7cx3eykWvaDypMiZCCGAAAACXBIWXMAAAsTAAALEwEAmpwYAAAER0lEQVRIx+WXO2wTQRCG1/GD5GInUYSEeEhJAQUIkat4SKBEQIFoYkFBQeFElEiYh6hNkQZROKJCIOSAaBBFQAKEaBKgRCiRaBEGClpEyOMSxzl2/tm93VvbcWqYwsTr/+Zmvvl37xDiH4nE4Ut9W1NmDl0IZdz8MdY+6dNyqCK43yZ95kFoxe1Nk6eqYSyWRjbJ62jDsN4yd+JX2BCrreo+EzaJiebarPq59vXA6dOPH86or7NNiyjwj19UmZlPqslmhZzgtD/NyhVO/rlRmyxhEO/stT1Qr/gN4h3Icj6+eAyLNxoqrprWk2cPvn/iG0B1t+o0eiFFYj/cEdwlSRJd5x3xEC1O0sQvasKvaNY99NeCM2haW3fcUSf1HCEaa2xP4k9W3Fkj9bWYmK5fbZw4NVxR9zSQCei8EB2uMwaFyFEdvsMi8PkGFG/uqD9kymRZta6jKL+vRVY6Ny7E9n2RjablP8uWuMIwwS/4wGvHZxS1tOpHl8xlpZDru17dGTK1DF3lx5y8qvhNOJvhGt93MFrdJr/9EeJXZLGkHxlxQ4hh+c/VWH95niI5bNc9eQo8kn8coZUxFL0cG8lIxK8fRqq9U9TywouNRfoh4PyL0iYlhrYiDTHKOeU1S5GXZ9BfheE/09N7K0RXqH+paU+nMBK6RPLzzKynYAMpm0aZHB2A4XHrl434NQOaAg7Njlx4C5/LqD/yM/fxTXTi09hoHrDnuYr63pNVriMHxDlra+XQ2QBsQ5cEsj6vDBnd7jf6nLcG+A13HMHna1q8jKo8fPZYI+xEzmlMa0j30gHLZcA+i6Y4uiEgcR8hDXi1TIgToEoXPlfiXogpJ2Ao7xaAA/lt8QAal+KaECXAppCIV5TYLsMRr1tiLsMWD4NDG/HVduI6NtxaDN1w0zIqWrwYG4pNwzRoidPWuG3ORlwgx/NQctYxw+NmcYwzi5eVwBgpjy3ks8SIU7B6r+XnLjRbhDeMGPfw4DomYHbKbwWwgrlRoPosBj2KPGYPLqo5ztlGWleEh9COOeo2wGTWWocrmLCxIt9xBS1PgomvM6wpwlXr3MAe9nknFvWuZ8KcYSaCL/jgmeI9HjWeAmGCNstu0rGb0vHp0a35e/haxLUlHLIGdNCXiiabNzx5Y06bAeLBPYGOFtSAopNnDnBS1evWM8V776uzMouE0cljZuREgWhyMcpdk3Fo7rN+LKmf692aw0ZT8Si8VVK5wDAVg2bHboAoqNHCPNnQhua+n7zgYlRRfenYc8qODtyzqIwO83Q6j+34C8oqfs+zuZaiK5tEiZJ1cZkJPM5s1zuBcXkMgDkM20aOR5F+ItBL+qHU0/AyZeNY5yeQDzTyLPwYDLZ6f67UZoU6+3WfrV/7E+NCvwMMtObgzob3+kh7sQfc6VbedKJMOvli8nIr4jmw6//hb0V8tJUtm/7Pplwb3LJYbD8l/tP4C9aWahaE6NdtAAAAAElFTkSuQmCC',
  'base64',
);

/** Largest size of a company's logo in a message. */
const LOGO_BOX = { width: 180, height: 40 };

/** A company's logo in the size of the top of a message. */
export async function companyLogo(png: Buffer, companyName: string): Promise<Logo> {
  const { default: sharp } = await import('sharp'); // Too heavy for every start.
  const { data, info } = await sharp(png)
    .resize(LOGO_BOX.width * 2, LOGO_BOX.height * 2, { fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer({ resolveWithObject: true });
  return {
    png: data,
    width: Math.ceil(info.width / 2),
    height: Math.ceil(info.height / 2),
    alt: companyName,
  };
}
