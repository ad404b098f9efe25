import { plainOf } from './words.ts';

/**
 * The given names of most people in Spain, in its languages and in those of immigrants. They distinguish «Inmaculada
 * Reyes» from «Casa Maruja» above the same NIF.
 */
const GIVEN_NAMES = new Set(
  `abel adela adolfo adrian adriana agustin agustina agurtzane ahmed aida aina ainara ainhoa aitana aitor alba albert
  alberto alejandra alejandro alejo alex alfonso alfredo alicia almudena alonso alvaro amaia amalia amaya amelia amparo
  ana andrea andres andreu andrei angel angela angeles anna anton antoni antonia antonio anxo araceli arantxa ariadna
  arnau arturo asier asuncion aurelio aurora barbara beatriz begona belen benito benjamin berta blanca blas borja brais
  bruno carla carles carlos carlota carmelo carmen carolina catalina cecilia celia cesar charo clara claudia claudio
  concepcion cristian cristina cristobal daniel daniela david diana diego dolores domingo edgar eduard eduardo elena elias
  elisa elvira emilia emilio emma encarnacion eneko enric enrique ernesto esperanza esteban estefania estela esther eugenia
  eugenio eulalia eusebio eva fabian fatima federico felipe felix ferran fernando fidel florencio francesc francisca
  francisco gabriel gabriela gema gemma gerard german gloria gonzalo gorka gregorio guadalupe guillem guillermo gustavo
  hassan hector helena herminia hugo ibai ignacio igor iker ildefonso imanol inaki ines inigo inmaculada irene iria iris
  isaac isabel ismael israel ivan ixone jacinto jaime jaume javier jeronimo jesus joan joana joaquin joaquina joel jon
  jonathan jordi jorge jose josefa josefina josep josu juan juana judith julen julia julian julio karim kepa koldo laia
  laura leire leonor leticia lidia lina lluis lorena lorenzo lourdes lucas lucia luciano luis luisa luz macarena magdalena
  manel manuel manuela mar marc marcelino marcos margarita mari maria mariana mariano maribel marina mario marisa marta
  marti martin mateo mateu matias matilde mauricio maxima maximo mercedes merce miguel mikel milagros mireia miren
  miriam modesto mohamed mohammed moises monica montserrat monserrat mustapha nadia natalia nekane nerea nicolas nieves noa noelia
  norberto nuria oihane olga oriol oscar pablo paloma pascual patricia paula pau paulino pedro pere petra pilar purificacion
  quim rachid rafael raimundo ramon raquel raul ricardo rita robert roberto rocio rodrigo roger roman rosa rosalia
  rosario ruben ruth salome salvador samuel sandra santiago santos sara saturnino sebastian sergi sergio severino silvia
  simon sofia soledad sonia susana tamara teodoro teresa tomas trinidad unai uxia valentin valentina vanesa vanessa
  vasile veronica vicent vicente vicenta victor victoria virginia xabier xavier xavi xoan xose yago yolanda youssef zoe`
    .split(/\s+/)
    .map((name) => plainOf(name)),
);

const isGivenWord = (word: string) => GIVEN_NAMES.has(word) || /^m(\.[ªa]?|ª)$/.test(word);

/** Whether it begins like a person's name, or ends like one after a comma: `Quiroga Sanz, María Elena`. */
export function isGiven(plain: string): boolean {
  const [front = '', behind] = plain.split(', ');
  const starts = (text: string) => isGivenWord(wordsOf(text)[0] ?? '');
  return starts(front) ? front.trim().includes(' ') : behind !== undefined && starts(behind);
}

/** Whether it has at most one of the two surnames that everybody in Spain has: `Carmen de Miguel`, `Joaquín`. */
export function lacksSurname(plain: string): boolean {
  const words = wordsOf(plain);
  if (!isGivenWord(words[0] ?? '') || plain.includes(',')) return false;
  const own = words.filter((word) => !/^(de|del|la|las|los|y|i)$/.test(word));
  return own.filter((word) => !isGivenWord(word)).length < 2;
}

const wordsOf = (plain: string) =>
  plain
    .trim()
    .replace(/^(de|don|dona|d\.|dna\.) /, '')
    .split(' ');
