import { useMediaQuery } from '@mantine/hooks';
import { IconLock, IconLogout } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, useId } from 'react';
import { Link, useLocation, useMatch, useNavigate } from 'react-router';
import { listPath, PATHS } from '../../lib/paths.ts';
import { conexionQuery, invoiceDetailQuery } from '../../lib/queries.ts';
import { Counter } from '../../ui/chip.tsx';
import { useErrorDialog } from '../../ui/error-dialog.tsx';
import { Hint } from '../../ui/hint.tsx';
import { type Gate, isAlwaysOpen } from './gate.ts';
import { NAV_GROUPS, type NavItem, PROFILE_ITEM } from './nav-items.ts';
import classes from './navigation.module.css';
import { useSignOut } from './use-session-guard.ts';

export interface NavigationProps {
  readonly gate: Gate | null;
  /** Shown above the sections, in the drawer. */
  readonly head?: ReactNode;
}

/** The sections of the panel, for both the rail and the drawer. */
export function Navigation({ gate, head }: NavigationProps) {
  const signOut = useSignOut();
  const place = usePlace();
  const id = useId();
  return (
    <nav className={classes.nav} aria-label="Secciones">
      {head}
      {NAV_GROUPS.map(({ title, items }, group) => (
        <div key={title} className={classes.group}>
          <p id={`${id}-${group}`} className={classes.groupTitle}>
            {title}
          </p>
          <ul aria-labelledby={`${id}-${group}`} className={classes.items}>
            {items.map((item) => (
              <Item key={item.to} item={item} gate={gate} place={place} />
            ))}
          </ul>
        </div>
      ))}
      <ul className={classes.foot} aria-label="Perfil">
        <Item item={PROFILE_ITEM} gate={gate} place={place} />
        <li>
          <WithHint label="Cerrar sesión">
            <button type="button" className={classes.item} onClick={signOut}>
              <IconLogout size={18} stroke={1.7} aria-hidden="true" />
              <span className={classes.label}>Cerrar sesión</span>
            </button>
          </WithHint>
        </li>
      </ul>
    </nav>
  );
}

interface ItemProps {
  readonly item: NavItem;
  readonly gate: Gate | null;
  /** The current address: see {@link usePlace}. */
  readonly place: string;
}

function Item({ item, gate, place }: ItemProps) {
  const locked = gate !== null && !isAlwaysOpen(item.to);
  const current = [item.to, ...(item.also ?? [])].some(
    (path) => place === path || place.startsWith(`${path}/`),
  );
  const { Icon, label } = item;
  const content = (
    <>
      <Icon size={18} stroke={1.7} aria-hidden="true" />
      <span className={classes.label}>{label}</span>
      {item.to === PATHS.pending && !locked && <PendingCount />}
    </>
  );
  return (
    <li>
      <WithHint label={locked ? `${label}. ${gate.sentence}` : label}>
        {locked ? (
          <LockedItem gate={gate}>{content}</LockedItem>
        ) : (
          <Link className={classes.item} to={item.to} aria-current={current ? 'page' : undefined}>
            {content}
          </Link>
        )}
      </WithHint>
    </li>
  );
}

/** The address that determines the current section. For an invoice it is that of its list, once known. */
function usePlace(): string {
  const { pathname } = useLocation();
  const DocNo = useMatch('/panel/facturas/:DocNo/*')?.params.DocNo;
  const { data } = useQuery({ ...invoiceDetailQuery(DocNo ?? ''), enabled: false });
  if (DocNo === undefined || !data) return pathname;
  return listPath(data.fila.Status);
}

interface LockedItemProps {
  readonly gate: Gate;
  readonly children: ReactNode;
}

/** Stays in place and can be focused; it says why it is closed, and leads to the solution. */
function LockedItem({ gate, children, ...marks }: LockedItemProps) {
  const onLocked = useLockedNotice(gate);
  return (
    <button
      {...marks}
      type="button"
      className={classes.item}
      aria-disabled="true"
      onClick={onLocked}
    >
      {children}
      <IconLock className={classes.lock} size={15} stroke={1.7} aria-hidden="true" />
      <span className="hu-hidden">, bloqueado</span>
    </button>
  );
}

/** Shows why something is closed, when it is pressed. */
export function useLockedNotice(gate: Gate | null): () => void {
  const errors = useErrorDialog();
  const navigate = useNavigate();
  return () => {
    if (!gate) return;
    navigate(PATHS.profile);
    errors.show(gate.sentence);
  };
}

function PendingCount() {
  const { data } = useQuery(conexionQuery);
  const value = data?.teNecesitan ?? 0;
  return <Counter value={value} label={value === 1 ? 'te necesita' : 'te necesitan'} />;
}

/** Only where the words are hidden: between 48 and 75 em. */
function WithHint({ label, children }: { label: string; children: ReactElement<object> }) {
  const icons = useMediaQuery('(min-width: 48em) and (max-width: 74.99em)', false, {
    getInitialValueInEffect: false,
  });
  return (
    <Hint label={label} side="right" disabled={!icons}>
      {children}
    </Hint>
  );
}
