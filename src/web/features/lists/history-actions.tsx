import { Button } from '@mantine/core';
import { IconCopyPlus, IconMail } from '@tabler/icons-react';
import { useContext, useState } from 'react';
import { entero } from '../../lib/format.ts';
import { PanelClosed } from '../../ui/page-title.tsx';
import { CopyDialog, type CopyInvoice } from './copy-dialog.tsx';
import { IssuedActions } from './issued-actions.tsx';
import { isSendable, MailDialog } from './mail-dialog.tsx';
import { type InvoiceSelection, MAX_AT_ONCE } from './use-selection.ts';

export interface HistoryActionsProps {
  readonly selection: InvoiceSelection;
  /** Makes a draft of an invoice as it is. */
  readonly copyInvoice: CopyInvoice;
}

/** The actions on the selected invoices of the history. */
export function HistoryActions({ selection, copyInvoice }: HistoryActionsProps) {
  const { rows: selected, onSelect } = selection;
  const isClosed = useContext(PanelClosed);
  const [isCopying, setIsCopying] = useState(false);
  const [isMailing, setIsMailing] = useState(false);
  const sendable = selected.filter(isSendable).length;
  return (
    <>
      <IssuedActions rows={selected} />
      <Button
        variant="default"
        leftSection={<IconMail size={16} stroke={1.7} aria-hidden="true" />}
        disabled={sendable === 0 || selected.length > MAX_AT_ONCE}
        onClick={() => setIsMailing(true)}
      >
        Enviar por correo ({entero(sendable)})
      </Button>
      {!isClosed && (
        <Button
          variant="default"
          leftSection={<IconCopyPlus size={16} stroke={1.7} aria-hidden="true" />}
          disabled={selected.length > MAX_AT_ONCE}
          onClick={() => setIsCopying(true)}
        >
          Duplicar ({entero(selected.length)})
        </Button>
      )}
      {isMailing && (
        <MailDialog
          rows={selected}
          onClose={(sent) => {
            setIsMailing(false);
            onSelect(sent, false);
          }}
        />
      )}
      {isCopying && (
        <CopyDialog
          rows={selected}
          copyInvoice={copyInvoice}
          onClose={(made) => {
            setIsCopying(false);
            onSelect(made, false);
          }}
        />
      )}
    </>
  );
}
