-- What is packed here with a dictionary, no program reads that was made before it (docs/decisions/0241): such a one
-- would leave messages without an answer and fail at exports. It does not start any more. All that know 0242 read it.
--
-- needs: 0242
comment on column envios.peticion is 'zlib with a dictionary, or gzip (docs/decisions/0241)';
comment on column envios.respuesta is 'zlib with a dictionary, or gzip (docs/decisions/0241)';
