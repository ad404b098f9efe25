import { Button, Kbd, Menu } from '@mantine/core';
import {
  IconAlertTriangle,
  IconChevronDown,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconDeviceFloppy,
  IconMail,
  IconSend,
} from '@tabler/icons-react';
import { eurosOfCents } from '../../../lib/format.ts';
import classes from './action-bar.module.css';
import { cannotRegister, type Verdict } from './findings.ts';
import {
  askedByMain,
  type FormMode,
  MAIN_LABEL,
  REGISTER,
  REGISTER_AND_SEND,
  type Registering,
} from './registering.ts';

export interface ActionBarProps {
  readonly mode: FormMode;
  readonly verdict: Verdict;
  readonly totalCents: bigint;
  /** False for a registered invoice, which is not a draft any more. */
  readonly canSaveDraft: boolean;
  readonly isSaving: boolean;
  readonly onGoToFirst: () => void;
  readonly onSaveAndLeave: () => void;
  readonly onSave: () => void;
  /** Registers, or leads to what is missing. */
  readonly onRegister: (asked: Registering) => void;
}

/** The verdict, the total and the buttons, visible from any place in the form. */
export function ActionBar(props: ActionBarProps) {
  const { mode, verdict, totalCents, canSaveDraft, isSaving } = props;
  const isBlocked = cannotRegister(verdict);
  const main = { 'data-blocked': isBlocked || undefined, className: classes.main ?? '' };

  return (
    <section className={classes.bar} aria-label="Registrar la factura">
      <VerdictWords verdict={verdict} onGoToFirst={props.onGoToFirst} />
      <p className={classes.total}>
        <span className={classes.word}>Total</span>
        <span className={classes.figure}>{eurosOfCents(totalCents)}</span>
      </p>
      <div className={classes.buttons}>
        {canSaveDraft && (
          <Button variant="default" loading={isSaving} onClick={props.onSaveAndLeave}>
            Guardar<span className={classes.long}>&nbsp;borrador</span>
          </Button>
        )}
        <Button.Group className={classes.split ?? ''}>
          <Button
            {...main}
            data-main-action
            aria-disabled={isBlocked || undefined}
            onClick={() => props.onRegister(askedByMain(mode, !canSaveDraft))}
          >
            {MAIN_LABEL[mode]}
          </Button>
          <Menu position="top-end" width={280} withInitialFocusPlaceholder={false}>
            <Menu.Target>
              {/* It opens in any case: saving is always possible. */}
              <Button {...main} data-more aria-label="Más formas de registrar">
                <IconChevronDown size={16} stroke={1.8} aria-hidden="true" />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item
                leftSection={<IconSend size={16} stroke={1.7} />}
                rightSection={<Kbd>Ctrl ↵</Kbd>}
                onClick={() => props.onRegister(REGISTER)}
              >
                Registrar
              </Menu.Item>
              <Menu.Item
                leftSection={<IconMail size={16} stroke={1.7} />}
                onClick={() => props.onRegister(REGISTER_AND_SEND)}
              >
                Registrar y enviar al cliente
              </Menu.Item>
              {canSaveDraft && (
                <>
                  <Menu.Divider />
                  <Menu.Item
                    leftSection={<IconDeviceFloppy size={16} stroke={1.7} />}
                    rightSection={<Kbd>Ctrl S</Kbd>}
                    onClick={props.onSave}
                  >
                    Guardar borrador y seguir
                  </Menu.Item>
                </>
              )}
            </Menu.Dropdown>
          </Menu>
        </Button.Group>
      </div>
    </section>
  );
}

const VERDICTS = {
  'nothing-yet': { Icon: IconCircleDashed, tone: 'grey', words: 'Aún no hay nada que registrar' },
  checking: { Icon: IconCircleDashed, tone: 'grey', words: 'Comprobando…' },
  unknown: { Icon: IconCircleDashed, tone: 'grey', words: 'Sin comprobar' },
  ready: { Icon: IconCircleCheck, tone: 'green', words: 'Se puede registrar' },
  warned: { Icon: IconAlertTriangle, tone: 'amber', words: 'Se puede registrar' },
  unfinished: { Icon: IconCircleDashed, tone: 'grey', words: 'Faltan datos' },
  blocked: { Icon: IconCircleX, tone: 'red', words: 'No se puede registrar' },
} as const;

function VerdictWords({
  verdict: { kind, warnings },
  onGoToFirst,
}: {
  readonly verdict: Verdict;
  readonly onGoToFirst: () => void;
}) {
  const { Icon, tone, words } = VERDICTS[kind];
  const more =
    kind === 'blocked' || kind === 'unfinished'
      ? 'Ver qué falta'
      : kind === 'warned'
        ? seeWarnings(warnings)
        : null;
  return (
    <div className={classes.verdict} data-tone={tone}>
      <Icon size={18} stroke={1.8} aria-hidden="true" />
      <span role="status" className={classes.verdictWords}>
        {words}
      </span>
      {more && (
        <button type="button" className={classes.more} onClick={onGoToFirst}>
          {more}
        </button>
      )}
    </div>
  );
}

const seeWarnings = (count: number) => (count === 1 ? 'Ver el aviso' : 'Ver los avisos');
