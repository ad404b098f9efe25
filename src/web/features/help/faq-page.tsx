import { TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconAlertTriangle,
  IconChevronDown,
  IconFileCertificate,
  IconGavel,
  IconPlus,
  IconQrcode,
  IconRoute,
  IconSearch,
  IconUsersGroup,
} from '@tabler/icons-react';
import { useId, useState } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { CARDS, type Card, findQuestions, GROUPS, type Question } from './faq-content.ts';
import classes from './help.module.css';

const ICONS = [
  IconQrcode,
  IconGavel,
  IconFileCertificate,
  IconRoute,
  IconUsersGroup,
  IconAlertTriangle,
];

export function Component() {
  const [search, setSearch] = useState('');
  const cards = findQuestions(CARDS, search);
  const groups = GROUPS.map((group) => ({
    ...group,
    questions: findQuestions(group.questions, search),
  })).filter(({ questions }) => questions.length > 0);
  const found = cards.length + groups.reduce((sum, { questions }) => sum + questions.length, 0);

  return (
    <>
      <PageTitle title="Preguntas frecuentes" />
      <TextInput
        className={classes.search ?? ''}
        type="search"
        aria-label="Buscar en las preguntas"
        placeholder="Buscar en las preguntas"
        leftSection={<IconSearch size={16} stroke={1.7} aria-hidden="true" />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <p className="hu-hidden" role="status">
        {search && `${found} preguntas encontradas`}
      </p>
      {found === 0 && (
        <EmptyState mark={false} title={`No hay preguntas con «${search.trim()}»`}>
          Prueba con otra palabra o escríbenos desde Ayuda y soporte.
        </EmptyState>
      )}
      <ul className={classes.cards}>
        {cards.map((card) => (
          <li key={card.question}>
            <FlipCard card={card} Icon={ICONS[CARDS.indexOf(card)] ?? IconQrcode} />
          </li>
        ))}
      </ul>
      <div className={classes.groups}>
        {groups.map(({ title, questions }) => (
          <section key={title} className={classes.group}>
            <h2>{title}</h2>
            <div className={`hu-card ${classes.accordion}`}>
              {questions.map((question) => (
                <Unfolding key={question.question} {...question} />
              ))}
            </div>
          </section>
        ))}
      </div>
    </>
  );
}

interface FlipCardProps {
  readonly card: Card;
  readonly Icon: typeof IconQrcode;
}

/** A card that flips. Screen readers do not read the hidden side. */
function FlipCard({ card, Icon }: FlipCardProps) {
  const [open, { toggle }] = useDisclosure(false);
  return (
    <button type="button" className={classes.flip} aria-expanded={open} onClick={toggle}>
      <span className={classes.inner}>
        <span className={`${classes.face} ${classes.front}`} aria-hidden={open}>
          <span className={classes.icons}>
            <span className={classes.subject}>
              <Icon size={22} stroke={1.6} aria-hidden="true" />
            </span>
            <IconPlus size={16} stroke={1.8} aria-hidden="true" />
          </span>
          <span className={classes.words}>
            <span className={classes.question}>{card.question}</span>{' '}
            <span className={classes.brief}>{card.brief}</span>
          </span>
        </span>
        <span className={`${classes.face} ${classes.back}`} aria-hidden={!open}>
          <strong>{card.question}</strong>
          <span>{card.answer}</span>
        </span>
      </span>
    </button>
  );
}

function Unfolding({ question, answer }: Question) {
  const [open, { toggle }] = useDisclosure(false);
  const id = useId();
  return (
    <div>
      <h3>
        <button type="button" aria-expanded={open} aria-controls={id} onClick={toggle}>
          {question}
          <IconChevronDown size={18} stroke={1.7} aria-hidden="true" />
        </button>
      </h3>
      <p id={id} className={classes.answer} hidden={!open}>
        {answer}
      </p>
    </div>
  );
}
