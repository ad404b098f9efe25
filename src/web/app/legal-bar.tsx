import { IconChevronUp } from '@tabler/icons-react';
import { useId, useState } from 'react';
import type { Configuracion } from '../../contract/company.ts';
import { useProvider } from '../lib/provider.ts';
import { Datum, Mail, Phone } from '../ui/provider-data.tsx';
import classes from './legal-bar.module.css';

interface LegalLink {
  readonly key: keyof Configuracion['enlaces'];
  readonly label: string;
  readonly short: string;
}
const LINKS: readonly LegalLink[] = [
  { key: 'avisoLegal', label: 'Aviso legal', short: 'Aviso legal' },
  { key: 'privacidad', label: 'Política de privacidad', short: 'Privacidad' },
  { key: 'terminos', label: 'Términos y condiciones', short: 'Términos' },
  { key: 'pagos', label: 'Pagos y devoluciones', short: 'Pagos' },
];

/**
 * The provider's data and the four legal links, fixed at the bottom of every page. In the panel it is beside the
 * rail; on a phone it is folded, and opens upwards.
 */
export function LegalBar({ place }: { readonly place: 'panel' | 'public' }) {
  const { empresa, enlaces } = useProvider();
  const [open, setOpen] = useState(false);
  const id = useId();
  const year = new Date().getFullYear();

  const links = (short: boolean) => (
    <ul className={classes.links}>
      {LINKS.map((link) => (
        <li key={link.key}>
          <a href={enlaces[link.key]} target="_blank" rel="noopener noreferrer">
            {short ? link.short : link.label}
            <span className="hu-hidden">, se abre en otra pestaña</span>
          </a>
        </li>
      ))}
    </ul>
  );

  return (
    <footer className={classes.bar} data-place={place}>
      <div className={classes.line}>
        <p className={classes.company} title={empresa.direccion}>
          <span>
            © {year} <Datum text={empresa.razonSocial} />
          </span>
          <span className={`${classes.rest} ${classes.nif}`}>
            {place === 'public' && 'NIF '}
            <Datum text={empresa.nif} />
          </span>
          <span className={`${classes.rest} ${classes.address}`}>
            <Datum text={empresa.direccion} />
          </span>
          <span className={classes.rest}>
            <Phone text={empresa.telefono} />
          </span>
          <span className={classes.rest}>
            <Mail text={empresa.correo} />
          </span>
        </p>
        <div className={classes.wide}>{links(false)}</div>
        {place === 'panel' && <div className={classes.narrowLinks}>{links(true)}</div>}
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={open}
          aria-controls={`${id}-all`}
          onClick={() => setOpen(!open)}
        >
          <span className={place === 'panel' ? 'hu-hidden' : undefined}>Legal y contacto</span>
          <IconChevronUp size={16} aria-hidden="true" />
        </button>
      </div>
      <div id={`${id}-all`} className={classes.all} hidden={!open}>
        <p>
          © {year} <Datum text={empresa.razonSocial} /> · NIF <Datum text={empresa.nif} />
        </p>
        <p>
          <Datum text={empresa.direccion} />
        </p>
        <p>
          <Phone text={empresa.telefono} /> · <Mail text={empresa.correo} />
        </p>
        {links(false)}
      </div>
    </footer>
  );
}
