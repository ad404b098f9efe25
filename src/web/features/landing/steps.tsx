import { Mark } from '../../ui/logo.tsx';
import shared from './landing.module.css';
import { ProductPicture, type ProductPictureProps } from './product-picture.tsx';
import classes from './steps.module.css';

interface Step {
  readonly title: string;
  readonly text: string;
  readonly picture: ProductPictureProps;
}

const STEPS: readonly [Step, Step, Step] = [
  {
    title: '1. Crea tu cuenta',
    text: 'Tus datos de acceso y los de tu empresa. Pagas con tarjeta o eliges la demo.',
    picture: {
      name: 'cuenta',
      alt: 'Pantalla de registro: correo electrónico, contraseña y términos.',
    },
  },
  {
    title: '2. Sube tu certificado digital',
    text: 'El de tu empresa o el de su representante. Lo guardamos cifrado.',
    picture: {
      name: 'certificado',
      alt: 'Perfil con el certificado comprobado: titular, emisor, NIF y vigencia.',
    },
  },
  {
    title: '3. Registra tu primera factura',
    text: 'La escribes, la revisas y la registras. Desde el ordenador, el móvil o la tableta.',
    picture: {
      name: 'factura',
      alt: 'Factura registrada con su recorrido: borrador, cadena, AEAT y correo al cliente.',
    },
  },
];

/** The mark gains an arc with each step, and each step shows the screen where it happens. */
export function Steps() {
  return (
    <section className={`${shared.container} ${shared.section}`}>
      <h2 className={shared.h2}>Empiezas en tres pasos.</h2>
      <ol className={classes.steps}>
        {STEPS.map(({ title, text, picture }, i) => (
          <li key={title}>
            <span className={classes.mark}>
              <Mark size={56} arcs={(i + 1) as 1 | 2 | 3} />
            </span>
            <div className={classes.step}>
              <div>
                <h3 className={shared.cardTitle}>{title}</h3>
                <p className={shared.text}>{text}</p>
              </div>
              <ProductPicture {...picture} />
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
