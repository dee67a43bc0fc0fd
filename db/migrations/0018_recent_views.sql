CREATE TABLE "recent_view" (
	"user_id" uuid NOT NULL,
	"artifact_id" uuid NOT NULL,
	"viewed_at" timestamptz NOT NULL,
	CONSTRAINT "recent_view_user_id_artifact_id_pk" PRIMARY KEY("user_id","artifact_id")
);
--> statement-breakpoint
ALTER TABLE "recent_view" ADD CONSTRAINT "recent_view_user_id_user_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recent_view" ADD CONSTRAINT "recent_view_artifact_id_artifact_artifact_id_fk" FOREIGN KEY ("artifact_id") REFERENCES "public"."artifact"("artifact_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "recent_view_newest" ON "recent_view" USING btree ("user_id","viewed_at");--> statement-breakpoint
CREATE INDEX "recent_view_artifact" ON "recent_view" USING btree ("artifact_id");